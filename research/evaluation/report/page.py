"""A report as one page of HTML that needs nothing else: no script, no font, no address is fetched. Pure."""

from __future__ import annotations

from html import escape

from research.evaluation.report.parts import Picture, Report, Section, Table

STYLE = """
:root{color-scheme:light;--paper:#fbfaf7;--sheet:#fff;--line:#dcd8cf;--strong:#b9b3a6;--ink:#1c2024;--quiet:#4a5157;
--s1:#0d5c63;--s2:#b9b3a6;--s3:#7d5a0b;--s4:#646b72;--s5:#9c2f1f;--on1:#fff;--on2:#1c2024;--on3:#fff;--on4:#fff;
--on5:#fff;--good:#1d6b3a;--bad:#9c2f1f}
@media (prefers-color-scheme:dark){:root{color-scheme:dark;--paper:#14171a;--sheet:#1b1f23;--line:#2e343a;
--strong:#4b535b;--ink:#eceae4;--quiet:#b9bec3;--s1:#6cc3c7;--s2:#4b535b;--s3:#e6bd62;--s4:#99a0a7;--s5:#f0907f;
--on1:#0c1517;--on2:#eceae4;--on3:#0c1517;--on4:#0c1517;--on5:#0c1517;--good:#7fd19b;--bad:#f0907f}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);line-height:1.5;
font:1rem/1.5 "Inter","Segoe UI",system-ui,-apple-system,"Noto Sans",sans-serif}
main{max-width:72rem;margin:0 auto;padding:32px 24px 48px}
h1{font-size:1.75rem;line-height:1.25;margin:0 0 8px}h2{font-size:1.35rem;margin:48px 0 8px}
p{max-width:68ch;margin:8px 0}
figure{margin:16px 0;padding:16px;background:var(--sheet);border:1px solid var(--line);border-radius:8px;
max-width:46rem;break-inside:avoid}
figcaption{color:var(--quiet);font-size:.875rem;margin-top:8px}
svg{display:block;width:100%;height:auto}svg text{fill:var(--ink);font-size:12px;font-variant-numeric:tabular-nums}
svg .label{fill:var(--quiet)}svg .end{text-anchor:end}svg .mid{text-anchor:middle}
.axis{fill:none;stroke:var(--strong)}.grid{fill:none;stroke:var(--line)}
.ideal{fill:none;stroke:var(--strong);stroke-dasharray:2 4}
.line{fill:none;stroke-width:2}.mark{stroke:var(--sheet);stroke-width:1}
.line.s1{stroke:var(--s1)}.line.s2{stroke:var(--s3);stroke-dasharray:7 4}.line.s3{stroke:var(--s4);stroke-dasharray:2 3}
.line.s4{stroke:var(--s5);stroke-dasharray:10 3 2 3}.line.s5{stroke:var(--ink)}
.mark.s1{fill:var(--s1)}.mark.s2{fill:var(--s3)}.mark.s3{fill:var(--s4)}.mark.s4{fill:var(--s5)}.mark.s5{fill:var(--ink)}
.fill{stroke:var(--sheet);stroke-width:1}.fill.s1{fill:var(--s1)}.fill.s2{fill:var(--s5)}.fill.s3{fill:var(--s4)}
.fill.s4{fill:var(--s3)}.fill.s5{fill:var(--s2)}
svg text.on.s1{fill:var(--on1)}svg text.on.s2{fill:var(--on5)}svg text.on.s3{fill:var(--on4)}
svg text.on.s4{fill:var(--on3)}svg text.on.s5{fill:var(--on2)}
.wide{overflow-x:auto;margin:16px 0}
table{border-collapse:collapse;font-size:.875rem;font-variant-numeric:tabular-nums}
caption{text-align:left;font-weight:600;padding:0 0 8px}
th,td{padding:4px 12px 4px 0;border-bottom:1px solid var(--line);text-align:right;vertical-align:top}
th[scope=row],th:first-child{text-align:left;font-weight:400;max-width:28rem}
.words th,.words td{text-align:left}
thead th{color:var(--quiet);font-weight:600;border-bottom-color:var(--strong)}
.verdict{font-weight:600}.held{color:var(--good)}.failed{color:var(--bad)}
:focus-visible{outline:2px solid var(--s1);outline-offset:2px}
@media print{:root{--paper:#fff;color-scheme:light}main{padding:0;max-width:none}h2{break-after:avoid}
.wide{overflow:visible}table{font-size:8pt}tr{break-inside:avoid}}
"""


def as_page(report: Report) -> str:
    held = ("held", "Every gate held.") if report.is_passed else ("failed", "A gate failed: see Gates.")
    body = "".join(_section(section) for section in report.sections)
    return (
        '<!doctype html>\n<html lang="en-AU"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(report.title)}</title><style>{STYLE}</style></head>\n<body><main>"
        f'<h1>{escape(report.title)}</h1><p class="verdict {held[0]}">{held[1]}</p>{body}</main></body></html>\n'
    )


def _section(section: Section) -> str:
    says = "".join(f"<p>{escape(sentence)}</p>" for sentence in section.says)
    pictures = "".join(map(_picture, section.pictures))
    return (
        f"\n<section><h2>{escape(section.title)}</h2>{says}{pictures}{''.join(map(_table, section.tables))}</section>"
    )


def _picture(picture: Picture) -> str:
    return f"<figure>{picture.svg}<figcaption>{escape(picture.title)}</figcaption></figure>"


def _table(table: Table) -> str:
    head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in table.head)
    rows = "".join(
        f'<tr><th scope="row">{escape(row[0])}</th>{"".join(f"<td>{escape(cell)}</td>" for cell in row[1:])}</tr>'
        for row in table.rows
    )
    caption, kind = escape(table.caption, quote=True), "wide words" if table.is_words else "wide"
    return (
        f'<div class="{kind}" tabindex="0" role="region" aria-label="{caption}"><table><caption>{caption}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )
