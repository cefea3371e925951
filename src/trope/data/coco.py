"""The 80 COCO classes: their order, their ids in COCO's 91-id numbering, and the words that name them."""

from __future__ import annotations

import re
from functools import cache

# id in the 91-id numbering | class | plural | other words that name one (singular/plural)
_TABLE = """
1|person|people|man/men, woman/women, child/children, boy/boys, girl/girls, lady/ladies, gentleman/gentlemen
2|bicycle|bicycles|bike/bikes
3|car|cars|sedan/sedans, taxi/taxis
4|motorcycle|motorcycles|motorbike/motorbikes
5|airplane|airplanes|plane/planes, jet/jets, airliner/airliners
6|bus|buses|
7|train|trains|
8|truck|trucks|lorry/lorries
9|boat|boats|sailboat/sailboats, rowboat/rowboats, canoe/canoes
10|traffic light|traffic lights|
11|fire hydrant|fire hydrants|hydrant/hydrants
13|stop sign|stop signs|
14|parking meter|parking meters|
15|bench|benches|
16|bird|birds|
17|cat|cats|kitten/kittens
18|dog|dogs|puppy/puppies
19|horse|horses|
20|sheep|sheep|lamb/lambs
21|cow|cows|cattle/cattle
22|elephant|elephants|
23|bear|bears|
24|zebra|zebras|
25|giraffe|giraffes|
27|backpack|backpacks|rucksack/rucksacks
28|umbrella|umbrellas|parasol/parasols
31|handbag|handbags|purse/purses
32|tie|ties|necktie/neckties
33|suitcase|suitcases|
34|frisbee|frisbees|
35|skis|skis|pair of skis/pairs of skis
36|snowboard|snowboards|
37|sports ball|sports balls|soccer ball/soccer balls, football/footballs, basketball/basketballs, \
tennis ball/tennis balls, baseball/baseballs, volleyball/volleyballs, beach ball/beach balls, \
golf ball/golf balls, bowling ball/bowling balls
38|kite|kites|
39|baseball bat|baseball bats|
40|baseball glove|baseball gloves|
41|skateboard|skateboards|
42|surfboard|surfboards|
43|tennis racket|tennis rackets|
44|bottle|bottles|
46|wine glass|wine glasses|wineglass/wineglasses
47|cup|cups|teacup/teacups, mug/mugs
48|fork|forks|
49|knife|knives|
50|spoon|spoons|
51|bowl|bowls|
52|banana|bananas|
53|apple|apples|
54|sandwich|sandwiches|
55|orange|oranges|
56|broccoli|broccoli|head of broccoli/heads of broccoli
57|carrot|carrots|
58|hot dog|hot dogs|
59|pizza|pizzas|
60|donut|donuts|doughnut/doughnuts
61|cake|cakes|
62|chair|chairs|armchair/armchairs
63|couch|couches|sofa/sofas
64|potted plant|potted plants|houseplant/houseplants
65|bed|beds|
67|dining table|dining tables|
70|toilet|toilets|
72|tv|tvs|television/televisions
73|laptop|laptops|
74|mouse|mice|computer mouse/computer mice
75|remote|remotes|remote control/remote controls
76|keyboard|keyboards|
77|cell phone|cell phones|phone/phones, smartphone/smartphones, mobile phone/mobile phones
78|microwave|microwaves|
79|oven|ovens|
80|toaster|toasters|
81|sink|sinks|
82|refrigerator|refrigerators|fridge/fridges
84|book|books|
85|clock|clocks|
86|vase|vases|
87|scissors|scissors|pair of scissors/pairs of scissors
88|teddy bear|teddy bears|
89|hair drier|hair driers|hair dryer/hair dryers, hairdryer/hairdryers
90|toothbrush|toothbrushes|
"""


def _rows() -> list[list[str]]:
    return [line.split("|") for line in _TABLE.replace("\\\n", "").strip().splitlines()]


CLASS_OF_ID: dict[int, str] = {int(row[0]): row[1] for row in _rows()}
CLASSES: tuple[str, ...] = tuple(CLASS_OF_ID.values())


@cache
def words() -> dict[str, str]:
    """Every word or phrase (lower case) that names a class, singular and plural, to its class."""
    named: dict[str, str] = {}
    for _, name, plural, others in _rows():
        for word in (name, plural, *re.split(r"[/,]\s*", others)):
            if word.strip():
                named[word.strip()] = name
    return named


# What one of them is called where the bare word has no singular or is a mass: not "a skis", not "a broccoli".
_COUNTED = {"skis": "pair of skis", "scissors": "pair of scissors", "broccoli": "head of broccoli"}


@cache
def inflections(name: str) -> tuple[frozenset[str], frozenset[str]]:
    """The words for one and for several of class ``name``, as they stand after a determiner (lower case).

    ``inflections("knife")`` is ``({"knife"}, {"knives"})``; irregular nouns have their own forms, and a
    singular of `skis` is `pair of skis`.

    Raises
    ------
    KeyError : ``name`` is no COCO class.
    """
    row = next((row for row in _rows() if row[1] == name), None)
    if row is None:
        raise KeyError(name)
    words_of = [f"{row[1]}/{row[2]}", *re.split(r",\s*", row[3].strip())]
    pairs = [pair.strip().split("/") for pair in words_of if pair]
    one, many = {pair[0] for pair in pairs} - {"cattle"}, {pair[1] for pair in pairs}
    if name in _COUNTED:
        one = {_COUNTED[name]}
        many = {word for word in many if name != "broccoli" or " " in word}
    return frozenset(one), frozenset(many)


@cache
def _pattern() -> re.Pattern[str]:
    longest_first = sorted(words(), key=len, reverse=True)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, longest_first))})(?![\w-])", re.IGNORECASE)


# Words that are as often a color, a verb or an adjective: they name the class only right after one of these.
_UNSURE = frozenset(
    {
        "orange",
        "tie",
        "ties",
        "remote",
        "mouse",
        "train",
        "trains",
        "book",
        "sink",
        "sinks",
        "kite",
        "cup",
        "bear",
        "bears",
    }
)
_ARTICLE = re.compile(
    r"(?:^|\s)(?:an?|the|two|three|four|five|some|many|of|old|new|small|big|little|red|giant)\s+$",
    re.IGNORECASE,
)


def mentions(text: str) -> list[tuple[int, int, str]]:
    """Where English ``text`` names a class: ``(start, end, class)`` in code points, in order.

    The longest phrase wins (`hot dog` is no dog). Words that are mostly something else (`orange`, `tie`)
    count only after an article, a number or a plain adjective.
    """
    found = []
    for match in _pattern().finditer(text):
        word = match.group().lower()
        if word in _UNSURE and not _ARTICLE.search(text[: match.start()]):
            continue
        found.append((match.start(), match.end(), words()[word]))
    return found
