"""Pages as the ATO's legal database makes them, about fictional harbours: nothing in them is a ruling of anybody."""

from __future__ import annotations

from collections.abc import Sequence

FRONT = """<div id="LawFront"><h1>{kind}</h1><h2>{number}</h2><h3>{title}</h3>{alert}</div>"""

BODY = """
<table class="box"><tr><td><p><strong>This publication provides you with the following level of protection:</strong></p>
<p>This publication (excluding appendixes) is a public ruling for the purposes of the <i>Harbour Administration Act
1953</i>.</p>
<p>If you rely on this ruling, the Harbour Master must apply the law to you as it says.</p></td></tr></table>
<p>[Note: This is a consolidated version of this document. Refer to the Legal Database to check its currency.]</p>
<p><a name="H1"></a><strong>Summary</strong></p>
<p>Ferry berths are fictional, and so is this summary of what is ruled about them.</p>
<p><a name="H2"></a><strong>What this Ruling is about</strong></p>
<p><a name="P1"></a>1. This Ruling considers when the cost of a berth is deductible to a ferry keeper.<sup>[1]</sup></p>
<p><a name="P2"></a>2. It covers:</p>
<dl class="dl-horizontal"><dt>(a)</dt><dd>berths that a keeper hires; and</dd><dt>(b)</dt><dd>moorings.</dd></dl>
<p><strong>Ruling</strong></p>
<p><a name="P3"></a>3. The cost of a berth is deductible in the income year in which the berth is used.</p>
<p><strong>Example 1: a keeper hires a berth</strong></p>
<p><i>Keeper Ann hires a berth for $1&nbsp;000 and uses it in May.</i></p>
<p><strong>Date of effect</strong></p>
<p><a name="P4"></a>4. {effect}</p>
<p>{signed_by}</p><p>{signed}</p>
<h2>Appendix 1 – Explanation</h2>
<p>This Appendix is provided as information. It does not form part of the binding public ruling.</p>
<p><a name="P5"></a>5. Rates of berth hire are these:</p>
<table><tr><th>Length</th><th>Rate</th></tr>
<tr><td>10 metres</td><td>$5</td></tr><tr><td>20 metres</td><td>$9</td></tr></table>
<h3>Footnotes</h3>
<p>[1] Section 3-10 of the Harbour Dues (Fictional) Act 1999.</p>
"""

BOTH = "This Ruling applies to years of income commencing both before and after its date of issue."


def page(
    number: str = "TR 2008/1",
    *,
    kind: str = "Taxation Ruling",
    title: str = "Income tax: berths of fictional ferries",
    alert: str = "",
    effect: str = BOTH,
    signed: str = "12 March 2008",
    signed_by: str = "Commissioner of Taxation",
    history: Sequence[tuple[str, str, str]] = (),
    body: str | None = None,
    docid: str = "TXR/TR20081/NAT/ATO/00001",
    before: str = "",
) -> str:
    """A page. history: rows as (date, version, change); alert: words of the database's own notice."""
    shown = f'<div class="alert alert-warning"><img title="Exclamation"/>{alert}</div>' if alert else ""
    rows = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in history)
    panel = (
        f'<div id="LawTimeLine"><h4>{number} history</h4><table><tr><th>Date</th><th>Version</th><th>Change</th></tr>'
        f"{rows}</table></div>"
        if rows
        else ""
    )
    text = BODY if body is None else body
    return (
        "<!DOCTYPE html><html><head><meta charset='utf-8'><title>Legal database</title>"
        f"<link rel='canonical' href='https://www.ato.gov.au/law/view/document?docid={docid}'>"
        "<script>var hidden = '<p>not text</p>';</script></head><body>"
        "<header><nav>Home Search Sign in</nav></header>"
        "<div id='LawContent'><div id='LawMiniMenuHeader'>Print Share</div>"
        f"{FRONT.format(kind=kind, number=number, title=title, alert=shown)}{before}"
        f"<div id='LawBody'>{text.format(effect=effect, signed=signed, signed_by=signed_by)}"
        "<p><a name='COPYRIGHT'></a>© Australian Taxation Office for the Commonwealth of Australia</p>"
        "<p>You are free to copy these words as you wish.</p></div>"
        "<div id='LawReference'><h4>References</h4><p>ATO references: NO 1-ABC</p></div>"
        f"{panel}</div><footer>About this site</footer></body></html>"
    )
