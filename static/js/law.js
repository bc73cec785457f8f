// Definitions beside the words they define: on hover, focus and tap. Without script the words link to the list below.
(() => {
  "use strict";
  const card = document.createElement("div");
  card.className = "meaning-card";
  card.hidden = true;
  card.setAttribute("role", "tooltip");
  card.id = "definition-card";
  document.body.append(card);
  let shown = null;

  const show = (term) => {
    const title = document.getElementById(term.hash.slice(1));
    if (!title || shown === term) return;
    hide();
    shown = term;
    const name = document.createElement("b");
    name.textContent = title.textContent;
    const meaning = document.createElement("p");
    meaning.textContent = title.nextElementSibling.textContent;
    card.replaceChildren(name, meaning);
    card.hidden = false;
    term.setAttribute("aria-describedby", card.id);
    const box = term.getClientRects()[0];
    const left = Math.min(Math.max(box.left, 16), document.documentElement.clientWidth - card.offsetWidth - 16);
    const below = box.bottom + card.offsetHeight + 14 < innerHeight || box.top < card.offsetHeight + 14;
    card.style.left = `${left + scrollX}px`;
    card.style.top = `${(below ? box.bottom + 8 : box.top - card.offsetHeight - 8) + scrollY}px`;
  };
  const hide = () => {
    shown?.removeAttribute("aria-describedby");
    shown = null;
    card.hidden = true;
  };

  let leaving = 0;
  const stay = () => clearTimeout(leaving);
  document.addEventListener("mouseover", (event) => {
    const term = event.target.closest("a.term");
    if (term || card.contains(event.target)) stay();
    if (term) show(term);
  });
  document.addEventListener("mouseout", (event) => {
    if (!event.target.closest("a.term, .meaning-card")) return;
    stay();
    leaving = setTimeout(hide, 180);
  });
  document.addEventListener("focusin", (event) => { const term = event.target.closest("a.term"); if (term) show(term); else if (!card.contains(event.target)) hide(); });
  document.addEventListener("click", (event) => {
    const term = event.target.closest("a.term");
    if (term) { event.preventDefault(); show(term); } else if (!card.contains(event.target)) hide();
  });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
})();
