"""The lexical index: which lexemes a chunk is found by, and the SQL that turns new chunks into postings.

PostgreSQL's english configuration is the tokeniser. Two kinds of exact lexemes are added, which no tokeniser makes:
"§8-1" for the chunk's own section and those it refers to, and "=business" for the terms that are marked as defined
in it, or that it defines. Scores are BM25 with a fixed pivot instead of the average length, so that a text added
anywhere never moves the score of another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final
from uuid import UUID

from research.corpus.index_settings import K1, PIVOT_LENGTH, B, section_lexemes, term_lexeme
from research.corpus.ingest.split import Piece
from research.corpus.ingest.words import normal_term

OWN_SECTION_WEIGHT: Final = 3  # a chunk is about its own section more than about those it refers to
MAX_LEXEME: Final = 400


def exact_lexemes(piece: Piece, section: str, terms: Iterable[str]) -> Counter[str]:
    """The exact lexemes of a chunk with their frequencies. terms: the marked words that stand in it."""
    found: Counter[str] = Counter(section_lexemes(piece.text))
    found.update(dict.fromkeys(section_lexemes(section), OWN_SECTION_WEIGHT))
    for term in terms:
        found.update({term_lexeme(form) for form in _number_forms(term)})
    found.update({term_lexeme(form): OWN_SECTION_WEIGHT for form in _number_forms(piece.defined_term)})
    return Counter({lexeme[:MAX_LEXEME]: tf for lexeme, tf in found.items()})


def _number_forms(term: str) -> set[str]:
    """The term as it stands and its singular, so that "capital gains" and "capital gain" find each other."""
    words = normal_term(term)
    if words.endswith("ies") and len(words) > 4:
        return {words, words[:-3] + "y"}
    if words.endswith(("sses", "xes", "ches", "shes")):
        return {words, words[:-2]}
    if words.endswith("s") and not words.endswith("ss"):
        return {words, words[:-1]}
    return {words} - {""}


PREPARE = """
CREATE TEMP TABLE IF NOT EXISTS new_chunk (LIKE corpus_chunk) ON COMMIT DROP;
CREATE TEMP TABLE IF NOT EXISTS new_exact (chunk_id bigint, lexeme text, tf integer) ON COMMIT DROP;
CREATE TEMP TABLE IF NOT EXISTS new_token (chunk_id bigint, lexeme text, tf integer) ON COMMIT DROP;
CREATE TEMP TABLE IF NOT EXISTS old_version (id bigint) ON COMMIT DROP;
CREATE TEMP TABLE IF NOT EXISTS moved_version (id bigint, from_day integer, to_day integer) ON COMMIT DROP;
TRUNCATE new_chunk, new_exact, new_token, old_version, moved_version;
"""

# A placeholder is no law text: it is kept to be shown by a look-up and is in neither index. The Act's own title stands
# before every chunk of it and says nothing of any: left in, "income" and "tax" would stand in two chunks of three.
TOKENISE = """
INSERT INTO new_token (chunk_id, lexeme, tf)
SELECT c.id, t.lexeme, cardinality(t.positions)
FROM new_chunk c CROSS JOIN LATERAL unnest(to_tsvector('english',
    CASE WHEN starts_with(c.context, %(title)s) THEN substr(c.context, length(%(title)s) + 1) ELSE c.context END
    || E'\\n' || c.text)) t
WHERE c.role <> 'omitted' AND length(t.lexeme) <= %(max_lexeme)s;
"""

# Everybody's lexemes serve a practice's documents as well; those that stand in its documents alone are its own.
NAME_TERMS = """
INSERT INTO corpus_term (lexeme, practice_id)
SELECT lexeme, %(practice)s::uuid FROM (SELECT lexeme FROM new_token UNION SELECT lexeme FROM new_exact) AS l
WHERE NOT EXISTS (SELECT FROM corpus_term known WHERE known.lexeme = l.lexeme
                  AND (known.practice_id IS NULL OR known.practice_id = %(practice)s::uuid))
ORDER BY lexeme;
"""

POST = """
INSERT INTO corpus_posting (term_id, chunk_id, from_day, to_day, impact, practice_id)
SELECT term.id, c.id, c.from_day, c.to_day,
       found.tf * (%(k1)s + 1) / (found.tf + %(k1)s * (1 - %(b)s + %(b)s * size.dl / %(pivot)s)), c.practice_id
FROM (SELECT chunk_id, lexeme, tf FROM new_token UNION ALL SELECT chunk_id, lexeme, tf FROM new_exact) AS found
JOIN new_chunk c ON c.id = found.chunk_id AND c.role <> 'omitted'
JOIN (SELECT chunk_id, sum(tf)::float8 AS dl FROM new_token GROUP BY chunk_id) AS size ON size.chunk_id = found.chunk_id
JOIN (SELECT DISTINCT ON (lexeme) id, lexeme FROM corpus_term
      WHERE practice_id IS NULL OR practice_id = %(practice)s::uuid
      ORDER BY lexeme, practice_id NULLS FIRST) AS term ON term.lexeme = found.lexeme
ORDER BY term.id, c.id;
"""

# Vectors that were computed before for the same words, by whatever embedder: never again for the same text.
REUSE_VECTORS = """
INSERT INTO corpus_chunkvector (embedder_id, chunk_id, from_day, to_day, practice_id, vector)
SELECT known.id, c.id, c.from_day, c.to_day, c.practice_id, e.vector
FROM new_chunk c CROSS JOIN corpus_embedderrecord known
JOIN corpus_embedding e
  ON e.key = encode(sha256(convert_to(known.identity || chr(31) || c.input_sha256, 'UTF8')), 'hex')
WHERE c.role <> 'omitted'
ON CONFLICT DO NOTHING;
"""

# Statistics that say "empty" of a table that is not made the statements below nested loops: 290 s instead of 2.
COUNT_ROWS = """
ANALYZE corpus_provision (id, instrument_id), corpus_reading (provision_id, compilation_id),
        corpus_provisionversion (id, provision_id), corpus_versiondates (version_id, provision_id),
        corpus_chunk (id, version_id), corpus_posting (chunk_id);
"""

FORGET = """
DELETE FROM corpus_posting p USING corpus_chunk c, old_version o WHERE c.version_id = o.id AND p.chunk_id = c.id;
DELETE FROM corpus_chunkvector v USING corpus_chunk c, old_version o, corpus_embedderrecord e
 WHERE c.version_id = o.id AND v.chunk_id = c.id AND v.embedder_id = e.id;
DELETE FROM corpus_chunk c USING old_version o WHERE c.version_id = o.id;
"""

# The days of what stays as it is and was the law on other days than was known.
MOVE_DAYS = """
UPDATE corpus_posting p SET from_day = m.from_day, to_day = m.to_day
  FROM corpus_chunk c, moved_version m WHERE c.version_id = m.id AND p.chunk_id = c.id;
UPDATE corpus_chunkvector v SET from_day = m.from_day, to_day = m.to_day
  FROM corpus_chunk c, moved_version m, corpus_embedderrecord e
 WHERE c.version_id = m.id AND v.chunk_id = c.id AND v.embedder_id = e.id;
UPDATE corpus_chunk c SET from_day = m.from_day, to_day = m.to_day FROM moved_version m WHERE c.version_id = m.id;
"""

MISSING_VECTORS = """
SELECT count(*) FROM corpus_chunk c
WHERE c.role <> 'omitted' AND c.practice_id IS NOT DISTINCT FROM %s
  AND NOT EXISTS (SELECT FROM corpus_chunkvector v WHERE v.embedder_id = %s AND v.chunk_id = c.id);
"""

# The two small ones as well: they are never counted by themselves, and a planner that takes each for one row reads the
# wordings of all Acts for a look-up of one section: 19 ms instead of 2, on 16 compilations.
TIDY = ("corpus_instrument", "corpus_compilation", "corpus_provision", "corpus_words", "corpus_reading",
        "corpus_provisionversion", "corpus_versiondates", "corpus_amendment", "corpus_chunk", "corpus_term",
        "corpus_posting", "corpus_chunkvector", "corpus_embedding")  # fmt: skip


def post_new_chunks(cursor: Any, instrument_title: str, practice: UUID | None) -> None:
    """Postings, and vectors known already, for the rows of new_chunk, which are in corpus_chunk by now.

    practice: whose documents they are of, None for everybody's law.
    """
    numbers = {"k1": K1, "b": B, "pivot": float(PIVOT_LENGTH), "max_lexeme": MAX_LEXEME, "practice": practice}
    cursor.execute(TOKENISE, {"title": instrument_title, **numbers})
    cursor.execute("ANALYZE new_token, new_exact, new_chunk")
    cursor.execute(NAME_TERMS, numbers)
    cursor.execute(POST, numbers)
    cursor.execute(REUSE_VECTORS)


def tidy(cursor: Any, tables: Sequence[str] = TIDY) -> None:
    """Statistics and the visibility map, without which search has no index-only scans. Outside any transaction."""
    cursor.execute(f"VACUUM (ANALYZE) {', '.join(tables)}")
