"""A report as Markdown: the page's numbers without its pictures. Pure."""

from __future__ import annotations

from research.evaluation.report.parts import Report, Table


def as_markdown(report: Report) -> str:
    lines = [f"# {report.title}", ""]
    for section in report.sections:
        lines += [f"## {section.title}", ""]
        for sentence in section.says:
            lines += [sentence, ""]
        for table in section.tables:
            lines += [*_table(table), ""]
    return "\n".join(lines).rstrip() + "\n"


def _table(table: Table) -> list[str]:
    ruled = ["---", *["---" if table.is_words else "---:"] * (len(table.head) - 1)]
    rows = [table.head, tuple(ruled), *table.rows]
    return [f"**{table.caption}**", "", *("| " + " | ".join(map(_cell, row)) + " |" for row in rows)]


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
