"""Small numbers in words, and the words of magnitude: one table for all who read them in a text.

"nineteen" is 19 and "forty" 40; "twenty-five" is for the reader to put together. An ordinal is a place in a row, and
the same word a share where an article or a count stands before it ("a third"): which it is, the reader says.
"""

from __future__ import annotations

_UP_TO_NINETEEN = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen
"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ORDINALS = """
    first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth
    sixteenth seventeenth eighteenth nineteenth twentieth
"""

TENS = {word: 10 * ten for ten, word in enumerate(_TENS.split(), 2)}
SMALL = {word: value for value, word in enumerate(_UP_TO_NINETEEN.split())} | TENS
ONE_TO_TWENTY = {word: value for word, value in SMALL.items() if 1 <= value <= 20}
ORDINALS = {word: place for place, word in enumerate(_ORDINALS.split(), 1)}
MAGNITUDES = {"thousand": 10**3, "k": 10**3, "million": 10**6, "m": 10**6, "billion": 10**9, "bn": 10**9}
