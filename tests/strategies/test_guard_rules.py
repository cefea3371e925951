"""The rule guard: explicit similes in four languages, and nothing unless sure. What is no part of a figure stays."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trope.data.coco import CLASSES, mentions
from trope.strategies.guard import RENDERERS, Plan, negative, plan_by_rules
from trope.strategies.guard.lexicon import lists, qualities

LANGUAGES = ("en", "zh", "ja", "ar")

REWRITTEN = {
    # a common saying about a verb: how it is done
    "My brother eats like a horse, and our fridge is empty.": "My brother eats heartily, and our fridge is empty.",
    "You will sleep like a baby from the very first night.": "You will sleep soundly from the very first night.",
    # what is made takes no animal's coat
    "The helicopter hangs over the harbour like a dragonfly.": "The helicopter hangs over the harbour, slender.",
    "The truck lies by the road like a crocodile.": "The truck lies by the road, long.",
    # between a participle and its place the qualities need no comma
    "the road stretching like a ribbon to the horizon": "the road stretching narrow and winding to the horizon",
    "smoke rising like a snake above the roofs": "smoke rising long and winding above the roofs",
    # a quality right behind a new noun comes before it
    "a ballerina light as a feather, spotlight": "a light ballerina, spotlight",
    "a girl pale as milk in a garden": "a pale girl in a garden",
    "She wore a coat red as a poppy.": "She wore a red coat.",
    # an adjunct: the qualities come in its place, what follows belongs to the scene where it is known
    "The fog rolls over the harbor like a train.": "The fog rolls over the harbor, long and unbroken.",
    "The spiny pufferfish swells exactly like a volleyball beside the coral.": (
        "The spiny pufferfish swells, round and taut, beside the coral."
    ),
    "Hippos jam the muddy river bend just like buses in a depot.": "Hippos jam the muddy river bend, long and bulky.",
    # no quality is known: the sentence stands without the comparison
    "The diver looked up at the jellyfish, which drifted over the reef like a chandelier, its arms lit.": (
        "The diver looked up at the jellyfish, which drifted over the reef, its arms lit."
    ),
    # a predicate
    "The moon looks like a banana above the roofs.": "The moon looks curved and yellow above the roofs.",
    "The snow is as white as a sheep.": "The snow is white.",
    "Her skin was white as milk.": "Her skin was white.",
    "With three aunts in tears, the bride sat at the mirror as cool as a cucumber.": (
        "With three aunts in tears, the bride sat at the mirror, cool."
    ),
    # an attribute, a front, a clause
    "Snow as white as a sheep covers the roof.": "White snow covers the roof.",
    "Like a kite in a storm, the flag tears at the pole.": "Light and wind-tossed, the flag tears at the pole.",
    "The curtain beats against the frame as if a bird were trapped in the folds.": "The curtain beats against the frame.",
    "She sat by the far wall, as stiff as a poker, and watched the tail.": "She sat by the far wall, stiff, and watched the tail.",
    # a prompt without a verb: only landscape, weather, people
    "A two-humped hill like a kneeling camel, bare slopes, noon heat": "A two-humped hill, bare slopes, noon heat",
    # whatever the verb and the noun are
    "The accordion wheezed into the first verse like an asthmatic bulldog.": "The accordion wheezed into the first verse.",
    "She guards her recipes like a dragon guards gold.": "She guards her recipes.",
    "The oath closed round my wrist as a handcuff might, cold and exact.": "The oath closed round my wrist, cold and exact.",
    "The choir stopped as if cut with scissors.": "The choir stopped.",
    "The sofa, more like a hippopotamus than a piece of furniture, took up the bay.": (
        "The sofa, huge and round, took up the bay."
    ),
    "He crouched on the rafter with the patience of a heron.": "He crouched on the rafter with patience.",
    "Cables hang overhead, resembling intestines, in green light.": "Cables hang overhead, in green light.",
    "My suitcase came round on the carousel looking like a sausage.": "My suitcase came round on the carousel.",
    # the text says the quality
    "The lake was whiter than paper.": "The lake was white.",
    "He opened the door as neatly as a burglar.": "He opened the door neatly.",
    "Pale as wax, she read the telegram.": "Pale, she read the telegram.",
    "braids as thick as hawsers, full body": "thick braids, full body",
    # a compound
    "a tall woman, heron-like neck, hard flash": "a tall woman, thin neck, hard flash",
    # the place and the doer stay, the looks of what moves so do not carry over
    "The horse galloped like lightning over the plain.": "The horse galloped over the plain.",
    "The fog crept like a cat through London.": "The fog crept through London.",
    "The fog crept like a cat into Berlin at dawn.": "The fog crept into Berlin at dawn.",
    "The skyscrapers rose like teeth from the desert.": "The skyscrapers rose from the desert.",
    "The ship sails like a swan to the island.": "The ship sails to the island.",
    "A mountain like a giant looms over the town.": "A huge mountain looms over the town.",
    "A voice like thunder shakes the walls.": "A voice shakes the walls.",
    "The boxer fights like a tiger in the ring.": "The boxer fights fiercely in the ring.",
    "The plane dropped like a stone.": "The plane dropped.",
    "His eyes burned like coals.": "His eyes burned.",
    "He moved with the grace of a panther.": "He moved with grace.",
    "The tower stood, like a finger, against the sky.": "The tower stood, long and thin, against the sky.",
    "Cat-like, the thief slips over the wall.": "Soft, the thief slips over the wall.",
    "a girl as beautiful as a flower stands in the rain": "a beautiful girl stands in the rain",
    "her eyes like two emeralds, portrait": "her deep green, sparkling eyes, portrait",
    "The army, numerous as ants, covered the plain.": "The army, numerous, covered the plain.",
    "Birds like black arrows cross the sky.": "Black birds cross the sky.",
    "clouds like cotton candy": "soft, fluffy clouds",
    # right behind a noun the quality goes before it
    "He had hands like shovels and a laugh that filled the barn.": "He had broad, flat hands and a laugh that filled the barn.",
    "portrait of a woman, hair like fire, freckles, 85mm": "portrait of a woman, blazing red hair, freckles, 85mm",
    "an old woman with a nose like an axe stirs a pot": "an old woman with a sharp, broad nose stirs a pot",
    "clouds like cotton candy over a calm lake": "soft, fluffy clouds over a calm lake",
    # a sound, a feeling, a person at work has no look to lend it to
    "The giant's footsteps boomed like drums, and the mice hid.": "The giant's footsteps boomed, and the mice hid.",
    "Her grief went off in her like a kettle, and the others read.": "Her grief went off in her, and the others read.",
    "At night we blink at each other like moles.": "At night we blink at each other.",
    # the text goes on to say the quality, or has said it
    "The snow lay over the village like a blanket, smooth and white.": "The snow lay over the village, smooth and white.",
    # no color from what is likened for its shape
    "His knuckles stood up under the skin like walnuts.": "His knuckles stood up under the skin, wrinkled.",
    # what is joined or begins another clause stays
    "A waiter glided over as though on castors and removed the glass.": "A waiter glided over and removed the glass.",
    "Her dress floated behind her like smoke as she went down.": "Her dress floated behind her as she went down.",
    "The library was quiet as a tomb except for the rain.": "The library was quiet except for the rain.",
    "He sat like a king for two minutes and then left.": "He sat for two minutes and then left.",
    "As a candle borrows from the dark, so I have borrowed from you.": "I have borrowed from you.",
    "a lighthouse as white as a bone on a black cliff, storm": "a white lighthouse on a black cliff, storm",
    "Mara ran across the wet rooftops as quick as a cat.": "Mara ran across the wet rooftops quickly.",
    "Quick as a lizard she snatched the key.": "Quick, she snatched the key.",
    # other languages
    "老护林员像一堵墙立在孩子们前面。": "老护林员立在孩子们前面。",
    "小伙子急得像热锅上的蚂蚁，在考场外团团转。": "小伙子很急，在考场外团团转。",
    "她的皮肤洁白如雪。": "她的皮肤洁白。",
    "浪头一匹匹白马似的扑向船头。": "浪头扑向船头。",
    "湖面宛如一面镜子，倒映着雪山。": "湖面显得平滑而明亮，倒映着雪山。",
    "这双跑鞋轻如羽毛，陪你跑完全程。": "这双跑鞋很轻，陪你跑完全程。",
    "新手机薄如蝉翼。": "新手机很薄。",
    "笑声像一把撒开的黄豆，滚得满操场都是。": "笑声滚得满操场都是。",
    "沉默像一堵墙，隔在父子之间。": "沉默隔在父子之间。",
    "小城的夜市亮起来，像谁打开了一只珠宝匣。": "小城的夜市亮起来。",
    "老屋的房梁吱呀作响，好似一位老人在叹气。": "老屋的房梁吱呀作响。",
    "小狗听见开门声，箭一般窜到门口。": "小狗听见开门声，窜到门口。",
    "他整天跟斗鸡似的走来走去。": "他整天走来走去。",
    "若い医師は、灯台のように廊下の角に立っている。": "若い医師は、廊下の角に立っている。",
    "炎のような夕焼けが街を染めた。": "赤くゆらめく夕焼けが街を染めた。",
    "生徒たちは蜘蛛の子を散らすように逃げこんだ。": "生徒たちは逃げこんだ。",
    "他跑得比兔子还快。": "他跑得很快。",
    "她的心比蜜还甜。": "她的心很甜。",
    "彼女の肌は雪より白い。": "彼女の肌は白い。",
    "彼は石像であるかのように動かない。": "彼は動かない。",
    "赤ん坊の手はもみじみたいに小さい。": "赤ん坊の手は小さい。",
    "おもちゃ箱みたいな部屋で、双子が遊んでいる。": "部屋で、双子が遊んでいる。",
    "彼女は磁石に引かれるように、絵の前へ歩いていった。": "彼女は絵の前へ歩いていった。",
    "氷めいた視線が、会議室の空気を凍らせた。": "冷たい視線が、会議室の空気を凍らせた。",
    "彼は鎧でもまとっているかのように、背筋を伸ばした。": "彼は背筋を伸ばした。",
    "あたかも幽霊を見たかのように、店主の顔が青ざめた。": "店主の顔が青ざめた。",
    "彼女は手紙を、死んだ小鳥を葬るように引き出しへしまった。": "彼女は手紙を、引き出しへしまった。",
    "冷蔵庫並みに寒い教室だった。": "寒い教室だった。",
    "雪かと思うほど白い花びらが積もった。": "白い花びらが積もった。",
    "肌ざわりは、まるで羽毛。": "肌ざわりは、やわらか。",
    "彼女の声は鈴を転がすようだった。": "彼女の声は澄んでいた。",
    "ビルの群れは墓標を連想させる。": "ビルの群れは黒く直立している。",
    "未来都市の夜景、水晶のような高層ビル、車の灯": "未来都市の夜景、透きとおった高層ビル、車の灯",
    "ارتفعت الأسعار كصاروخ هذا الصيف.": "ارتفعت الأسعار هذا الصيف.",
    "رجع من السفر وكأنه شبح لا يعرفه أحد.": "رجع من السفر.",
    "وقفت المديرة بين التلميذين كالجدار.": "وقفت المديرة بين التلميذين ثابتة.",
    "كان صوتها ناعمًا كالمخمل.": "كان صوتها ناعمًا.",
    "كلامها أحلى من العسل.": "كلامها أحلى.",
    "احمرّت أذناه من الخجل حتى خلتهما جمرتين.": "احمرّت أذناه من الخجل.",
    "انطفأ صوته كما تنطفئ شمعة نسيها أهلها قرب نافذة.": "انطفأ صوته.",
    "بدت أضواء المدينة مبعثرة، وكأن أحدًا نثر فوق التلال خرزًا.": "بدت أضواء المدينة مبعثرة.",
    "سرب زرازير، يبدو من بعيد كبقعة حبر، سماء وردية": "سرب زرازير، سماء وردية",
    "جسر معلق يشبه خيطًا بين جبلين، ضباب صباحي": "جسر معلق، ضباب صباحي",
    "بحار متقاعد، وجهه كخريطة قديمة، لقطة مقربة": "بحار متقاعد، وجهه مليء بالخطوط، لقطة مقربة",
    "انقض الصقر كسهم على فريسته.": "انقض الصقر على فريسته.",
    "حارس يطير نحو الزاوية مثل سمكة تقفز من الماء، لقطة رياضية": "حارس يطير نحو الزاوية، لقطة رياضية",
    "مثل نمر متأهب، كان الحارس يراقب المرمى.": "كان الحارس يراقب المرمى.",
    "الناس يتدافعون تدافع النحل على باب القفير.": "الناس يتدافعون.",
    "تحت الثلج كراسٍ متراصة كـأسنان مشط.": "تحت الثلج كراسٍ متراصة.",
    "نام المسافرون متكئين كأكياس طحين في مخزن.": "نام المسافرون متكئين.",
    "يخرخر المحرك كأن أحدًا يجر كرسيًا على البلاط.": "يخرخر المحرك.",
    "القمر نحيل، أشبه ما يكون بقلامة ظفر.": "القمر نحيل.",
    "لا أحد هنا. المكان خال كقبر لم يُفتح منذ قرن.": "لا أحد هنا. المكان خال.",
    "شعرها أسود كَالْفَحْمِ ووجهها مدوّر.": "شعرها أسود ووجهها مدوّر.",
    "وثب القط وثبة النمر.": "وثب القط.",
    "فتاة كالوردة تمشي على الشاطئ": "فتاة رقيقة تمشي على الشاطئ",
    "رأيت رجلا كالأسد يحمل سيفا": "رأيت رجلا قويا مهيبا يحمل سيفا",
    "رأيت رجلا كأسد يحمل سيفا": "رأيت رجلا قويا مهيبا يحمل سيفا",
    "رجل يشبه الأسد يحمل سيفا": "رجل قوي مهيب يحمل سيفا",
    "الضباب كالقطة يزحف فوق الميناء": "الضباب يزحف فوق الميناء",
    "شعرها كالشلال يتدلى على ظهرها": "شعرها طويل منساب يتدلى على ظهرها",
    "طفل كالقمر يلعب في الحديقة": "طفل مشرق يلعب في الحديقة",
    "عيونه كعيون الصقر تراقب الوادي": "عيونه حادة تراقب الوادي",
    "النجوم كالألماس تلمع فوق الخيام": "النجوم تلمع فوق الخيام",
    "الأمواج كالجبال ترتفع أمام السفينة": "الأمواج ترتفع أمام السفينة",
    "وقف كالأسد يراقب القطيع": "وقف يراقب القطيع",
    "طفل كالقمر في حديقة خضراء": "طفل مشرق في حديقة خضراء",
    "أوراق صفراء كالمراوح على رصيف مبلل": "أوراق صفراء على رصيف مبلل",
    "كانت عيناه كالجمر في الظلام.": "كانت عيناه حمراوين متوهجتين في الظلام.",
    "كان القصر مثل جبل من الثلج.": "كان القصر ضخما ثابتا.",
    "رأيت غيمة كالقطن فوق التل.": "رأيت غيمة بيضاء ناعمة فوق التل.",
    "امرأة ذات عينين كالزمرد، شعر طويل، إضاءة سينمائية، 8k": "امرأة ذات عينين خضراوين براقتين، شعر طويل، إضاءة سينمائية، 8k",
    "كانت لحيته البيضاء كالثلج تصل إلى صدره.": "كانت لحيته البيضاء ناصعة تصل إلى صدره.",
    "شعرها الأسود ينسدل على كتفيها كالحرير.": "شعرها الأسود ينسدل على كتفيها ناعما لامعا.",
    "قفز الضفدع كالكرة من ورقة إلى ورقة.": "قفز الضفدع من ورقة إلى ورقة.",
    "محارب ضخم كالجبل يحمل فأسا، درع ذهبي": "محارب ضخم يحمل فأسا، درع ذهبي",
    "عطر جديد كنسيم البحر في زجاجة من الكريستال.": "عطر جديد في زجاجة من الكريستال.",
    "تناثرت الحجارة كفتات خبز على رؤوس الجنود.": "تناثرت الحجارة على رؤوس الجنود.",
    "انتشر الخبر في المدينة كالنار في الهشيم.": "انتشر الخبر في المدينة.",
    "ضحكت الشمس كأنها برتقالة كبيرة وأيقظت العصافير.": "ضحكت الشمس وأيقظت العصافير.",
    "بورتريه لعجوز وجهه كالأرض المتشققة، إضاءة جانبية، عدسة 85mm": "بورتريه لعجوز، إضاءة جانبية، عدسة 85mm",
}
# Found, told to a model that can be told, but left alone by `rewrite`: it would not stand, or is not clear enough.
KEPT = {
    "The rain on the skylight was like thrown gravel.": "gravel",
    "The boy froze like a deer in the headlights.": "deer",
    "The dog curled like a ball and a cat slept next to it.": "ball",
    "The island was shaped like a fat dragon standing up.": "dragon",
    "The moon could pass for a coin.": "coin",
    "You would think a bomb had gone off in the playroom.": "bomb",
    "The car was no more than a beetle on the plain.": "beetle",
    "His skin was the color of old candles.": "candles",
    "The smile reminded her of a piano.": "piano",
    "His excuses have more holes than a net.": "net",
    "It was like watching a drawer slide open.": "drawer",
    "The hotel pool smelled like a hamster cage.": "hamster cage",
    "a hush, almost cathedral-like, over the kitchen": "cathedral",
    "a giant spider as big as a car on a highway": "car",
    "A spider as large as a house attacks a car": "house",
    "pearls as large as eggs": "eggs",
    "birds like black arrows crossing a red sky, oil painting": "arrows",
    # nothing would be said without it
    "The tax inspector had a smile like a paper cut.": "paper cut",
    "Grandpa eats soup with a noise like a bath emptying.": "bath",
    "The door opens with the manners of a bear trap.": "bear trap",
    "She did not look up, her thumb going like a sewing machine.": "sewing machine",
    "He grinned as if he had swallowed a banana and waved.": "banana",
    "My steak was grey as a battleship and just about as tender.": "battleship",
    "獲物を狙う鷹のような目で、刑事は男を見つめた。": "鷹",
    "駅前の人波は、まるで川だった。": "川",
    "春の野原は、絨毯を広げたようだ。": "絨毯",
    "あの二人は犬と猿のように仲が悪い。": "猿",
    "وكأنه جبل لا تهزه ريح، ظل الشيخ واقفًا.": "جبل",
    "他的手跟钳子没两样。": "钳子",
    "高原の星空は、黒い布にこぼした砂糖のようだ。": "砂糖",
    "島々は、湯船に浮かぶあひるのようだった。": "あひる",
    "口どけは淡雪のよう。": "淡雪",
    "صمت كصمت القبور.": "قبور",
    "كان أبي بمثابة سقف يحمينا من العواصف.": "سقف",
    "心里好像有一只小鼓，咚咚地敲。": "小鼓",
    "海に突き出た岩は、水を飲む牛そっくりの形をしている。": "牛",
    "صمت القاعة كصمت القبور.": "قبور",
    "ما أشبه هذا الوجه بدفتر كثر فيه المحو!": "دفتر",
    "قلبي هذا المساء مثل زورق انفض ركابه.": "زورق",
    "يا ولد، صارت غرفتك مثل حظيرة!": "حظيرة",
    "تحسبها من بعيد مزهرية، حتى تلتفت إليك.": "مزهرية",
    "خطه كخربشة دجاجة.": "خربشة دجاجة",
    "بطل كسوبرمان": "سوبرمان",
    "رجل قوي كأسد يحمل سيفا": "أسد",
    "كانه مارد طلع من القمقم.": "مارد",
    # Arabic: nothing of the vehicle can be seen of such a tenor, or it is not sure whose the verb behind it is
    "كان المدير كقابض الجمر.": "جمر",
    "كان الصمت بين الزوجين يشبه لوحًا من زجاج.": "زجاج",
    "صوتك مثل العسل.": "عسل",
    "الأم كشمعة تحترق لتضيء لغيرها.": "شمعة",
    "يداها كالثلج في الصباح.": "ثلج",
    "كانت تنظر إلى النافذة بعينين كبئرين عميقتين.": "بئرين",
}
LEFT_ALONE = """
A cat as well as a dog | Children like dogs and cats | Grandparents like birds in the garden | as many as three dogs
as soon as a bus arrives | As far as a car can go | Furniture like a chair | as old as the bed he sleeps on
The boy would like a pizza | Fruits like apples and oranges on a table | things like cups and plates on a shelf
A basket holding fruits like apples and pears | a man wearing a hat like a pirate | a flower like a rose
It looks like a storm is coming | He looks like a doctor | a boy walking like a robot | a cat sitting on a chair like a human
a portrait of a king, like a Rembrandt painting | a dog twice as big as a horse | not as tall as a giraffe
a wall as high as a house beside it | cities like Paris | She works as a nurse | dressed in white as a bride
A girl as tall as the door frame beside her | Two carpets, one as red as the other
a cloud in the shape of an elephant | a lamp shaped like a mushroom | cookies decorated to resemble ladybugs, red icing
What looked like a log was a crocodile. | It looked like a wolf, and when the moon came out it was one. | It looks like rain.
Her daughter has a chin just like hers. | They fight like they were taught at the academy. | Like most towns here, it has a fort.
Hold the racket as if you were shaking hands with it. | Fold the napkin like a fan. | Season it like you would a stew.
She raised her hand as if to knock. | a man at the curb as if waiting for a bus | He behaves as though nothing had happened.
The stick insect looks like a twig. | Tarsiers, like owls, hunt at night. | Birds of prey like kestrels hover over the verge.
I feel like ramen tonight. | Would your dog like a biscuit? | My daughter would like everyone to know. | She did not move like a cat.
a werewolf with wolf-like teeth | Ghibli-like countryside | Wolf-like dog breeds | a kitchen with marble-like worktops | a look-alike
twice as wide as a bus | a boulder as high as the girl beside it | no more than a mile | more snow than rain | safer than a lamp
neon sign reading AS COLD AS ICE over a door | a book called Silent as a Stone | LIKE A ROLLING STONE on the cover of an album
a creature with a head like an eagle and a body like a lion | a banner that says sweet as honey | trees like oaks
a poster saying Sting like a bee | with the caption: Fly like an eagle | T-shirt print, text: Float like a butterfly
Negative prompt: lowres, bad hands, looks like a doll, plastic skin | low poly like PS1 game | texture like wood
color palette like autumn leaves | bokeh like bubbles | a table with a surface like leather | signature like a doctor's
Halloween makeup like a skull | hands folded like a heart | Zebra-like stripes | dogs like long walks in the park
a detective looking for clues like footprints | a photo of a tiger, looks like a magazine cover
fruit with seeds like a pomegranate | a cat on a mat | like | as white as | as | Le brouillard est comme un train | a lamp like a mushroom on a desk
天色发暗，好像要下雨了 | 一位老渔民的肖像 | 像素风的小镇 | 青铜骏马雕像 | 穿着一样的黄雨衣 | 仿佛听见有人敲门 | 像往常一样喝茶
转ばないように歩く | 次のように配置してください | 去年と同じように並べた | 誰かいるみたいだ | 見本の写真のように盛りつけた | 転ばないように手すりにつかまる
一个名叫宛若的女孩 | 像梵高那样的笔触，星空 | 这只狗像狼，灰色的毛 | 把画面调得像旧报纸一样发黄 | 老师让学生像青蛙一样跳 | 一只跟猫一样大的老鼠
比房子还高的树 | 弟弟比爸爸还高 | 弟は父より背が高い | الجبل أعلى من الغيم | صندوق قديم كطاولة في الغرفة | استخدم القرص كـ إطار للصورة
例如苹果和梨 | 就像约定好的那样，在车站碰头 | 孩子戴着像狮子一样的面具 | 像这样把手举起来 | 那像是一座灯塔
柴犬に似た犬、雪の庭 | トマトのような野菜が並ぶ八百屋 | 彼女は窓を閉めたようだ。 | 油絵のような質感で、港の朝を描く | 花が咲くように水をやる少女
薬を飲むように勧める看護師 | 外は雪のようだ。 | あの山のように高い山 | まるで駄目だ、と監督は首を振った | 蛙のように跳ぶまねをする園児
كلب مثل الذئب في الثلج | طفل يقفز مثل الضفدع، يقلد زملاءه | يبدو كأنها ستمطر | أدوات مثل الإبرة والخيط | يستخدم الفلاح الحجر كمطرقة
庭を囲むように石が積まれている。 | 母は弟が薬を飲むように水を置いた。 | 彼は皿を洗うように言われた。 | 去年と同様に、夏祭りを開いた。 | 東京並みの家賃だという。
ガラスばりの部屋で会議をする。 | 春めいた日が続く。 | 看板のような板が落ちている。 | 彼は学生のようには見えなかった。 | 油絵のような夜景、厚塗り | 鏡のように見える板を使って撮影する。
彼は医師であるかのように名乗った。 | お茶でも飲むように勧めた。 | 彼女は落ちた本を拾うように身をかがめた。 | 虎やライオンのような猛獣が檻にいる | よく見えるように描いて
حيوانات مثل الماعز والدجاج والأرانب | كلب كبير تحت كرسي كحلي | طفل يشبه أباه | يجلس كعادته | تعمل أختي كمعلمة في القرية
كرسي ظهره كأنه جناح، خشب محفور | طفلتان تمشطان شعرهما كل منهما مثل الأخرى | مثل أي يوم آخر، فتح الدكان | جلس جلسة طويلة مع أصدقائه
好像有一只猫在门口叫 | 像章和徽章摆满桌面 | 两座相似的房子 | 氷のように見えるが、実はガラスだ。 | 母親そっくりの女の子 | 鳥が来るように巣箱を掛けた。
أطباق شعبية كالكبسة والتبولة | كما كان قبل مئة عام | كأنه سمع طرقا على الباب
كما في كل شتاء، تحط الطيور هنا | يجلس القرفصاء كما يجلس البدو حول النار | اطبخي الأرز كما تطبخه جدتك | لعب المهاجم كظهير أيسر
ليست بشرتها كالحليب ولا شعرها كالليل | لا شيء مثل بيت الجدة في العيد | لم أر مثل هذا الغروب في حياتي | كأني رأيتك في المكتبة أمس
طعمها مثل طعم الجبنة العكاوي | ارتدت الفتاة فستانا كفستان أختها | ظهر في الكاميرا حيوان كالوشق، وتبين أنه وشق بالفعل | كأن شيئا لم يكن، عاد إلى مقعده
خاتم فضي مصمم كثعبان ملتف حول حجر فيروز | إبريق شاي بمقبض يشبه ذيل تنين | حشرة عصوية تتخفى كغصن يابس بين الأغصان | وصل أسرع من القطار بعشر دقائق
الكلمات: كن كالجبل | لافتة تقول كن كالجبل | كوة عالية في الجدار | كراميل سائل فوق بودينغ | وكالة أنباء قديمة | مثل المنتخب بلاده في البطولة | يسأل الناس: كيف الحال؟ | سحابة تشبه الأرنب فوق البيت
"""
MEANT = {
    "a teapot shaped like a cat": "cat",
    "A cake that looks like a cat": "cat",
    "a logo of a mountain range, peaks rising like bears": "bears",
    "latte foam in the shape of a swan": "swan",
    "The emoji icons look like dogs. All of the dogs wear hats.": "dogs",
    "画一朵像小狗的云": "小狗",
    "做个门把手，造型像一本书": "书",
    "ピアノの鍵盤のような階段、内装案": "ピアノの鍵盤",
    "صمم لي مصباح مكتب على شكل زرافة": "زرافة",
    "حقيبة ظهر للأطفال مثل سلحفاة": "سلحفاة",
}


def _lang(text: str) -> str:
    return plan_by_rules(text).lang


@pytest.mark.parametrize(("text", "expected"), list(REWRITTEN.items()))
def test_a_rewrite_takes_the_noun_out_and_nothing_that_belongs_to_the_scene(text: str, expected: str) -> None:
    plan = plan_by_rules(text)
    assert RENDERERS["rewrite"](plan) == expected
    (figure,) = plan.unseen
    noun = text[slice(*figure.vehicle)]
    assert noun in text and noun not in expected.split()


@pytest.mark.parametrize(("text", "vehicle"), list(KEPT.items()))
def test_what_would_not_stand_without_the_comparison_is_only_instructed(text: str, vehicle: str) -> None:
    plan = plan_by_rules(text)
    assert [plan.quote(figure.vehicle) for figure in plan.unseen] == [vehicle]
    assert RENDERERS["rewrite"](plan) == text != RENDERERS["instruct"](plan)


@pytest.mark.parametrize(
    "text", [part.strip() for line in LEFT_ALONE.strip().splitlines() for part in line.split(" | ")]
)
def test_what_is_no_sure_simile_stays_byte_identical(text: str) -> None:
    plan = plan_by_rules(text, _lang(text))
    assert plan.abstains, [plan.quote(figure.vehicle) for figure in plan.unseen]
    assert RENDERERS["rewrite"](plan) == RENDERERS["instruct"](plan) == text and negative(plan) == (text, "")


@pytest.mark.parametrize(("text", "vehicle"), list(MEANT.items()))
def test_what_is_ordered_designed_or_taken_up_is_in_the_plan_as_seen_with_a_reason(text: str, vehicle: str) -> None:
    plan = plan_by_rules(text)
    (figure,) = plan.figures
    assert plan.quote(figure.vehicle) == vehicle and figure.seen and figure.why and plan.abstains
    assert RENDERERS["rewrite"](plan) == RENDERERS["instruct"](plan) == text


MACHINE = (
    "<lora:cat_style:0.8>", "(a tower like a giraffe:1.3)", "[fog:fog like a train:0.5]", '"as cool as a cucumber"', "ohwx",
    "{fog like a train|rain}", "https://example.org/as-white-as-a-sheep", "--ar 16:9", "(masterpiece:1.2)", "“像一堵墙”", "「鏡のように」",
)  # fmt: skip


@pytest.mark.parametrize("part", MACHINE)
def test_what_is_written_for_a_machine_or_to_be_rendered_is_never_touched(part: str) -> None:
    text = f"{part} The fog rolls over the harbor like a train, {part}, 8k, Aiko Tanaka"
    plan = plan_by_rules(text, "en")
    rewritten = RENDERERS["rewrite"](plan)
    assert rewritten.count(part) == 2 and rewritten.endswith(", 8k, Aiko Tanaka")
    assert rewritten == f"{part} The fog rolls over the harbor, long and unbroken, {part}, 8k, Aiko Tanaka"
    assert plan_by_rules(part, "en").abstains


def test_a_passage_with_many_figures() -> None:
    text = (
        "On deck the fog had come down over the canal like a gray blanket. Biscuit barked at a duck. There the grand piano "
        "stood in the bay window like a black horse, one flank in the sun. “The quiet is like thin glass,” she said."
    )
    plan = plan_by_rules(text, "en")
    assert [plan.quote(figure.vehicle) for figure in plan.figures] == ["blanket", "horse", "glass"]
    assert [plan.quote(figure.tenor) for figure in plan.figures] == ["the fog", "the grand piano", "The quiet"]
    assert "the fog had come down over the canal, gray." in RENDERERS["rewrite"](plan)


DRAGON = "The ridge lay across the valley like a sleeping dragon, blue in the haze."


def test_what_the_context_calls_real_is_meant_to_be_seen() -> None:
    assert not plan_by_rules(DRAGON, "en").abstains
    for context in ("In the valley of Orrin dragons are real.", "A real dragon guards the pass."):
        (figure,) = plan_by_rules(DRAGON, "en", context).figures
        assert figure.seen and figure.why == "the context says that 'dragon' is real"
    for context in ("There are no real dragons here.", "Dragons do not exist; the wolves are real.", "", None):
        assert not plan_by_rules(DRAGON, "en", context).abstains


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a girl with skin white as snow and lips red as blood", "a girl with skin white and lips red"),
        ("His beard was white as snow and his coat black as coal.", "His beard was white and his coat black."),
        ("Lips red as roses, hair black as ebony, skin white as snow.", "Lips red, hair black, skin white."),
        ("He was as strong as an ox and as stubborn as a mule.", "He was strong and stubborn."),
        ("as strong as an ox and as stubborn as a mule", "strong and stubborn"),
        ("She was pale as milk and thin as a rail, and coughed.", "She was pale and thin, and coughed."),
        ("She wore a coat as red as a poppy and shoes as black as tar.", "She wore a red coat and black shoes."),
        ("a night as black as pitch and as quiet as a grave", "a night black and quiet"),
    ],
)
def test_each_of_several_qualities_is_a_figure_of_its_own(text: str, expected: str) -> None:
    assert RENDERERS["rewrite"](plan_by_rules(text, "en")) == expected


@pytest.mark.parametrize(
    ("text", "tenor"),
    [
        ("My heart is beating like a drum.", "My heart"),
        ("When the curtain went up the dancers spun like tops.", "the dancers"),
        ("The dragon, having eaten, lay across the road like a landslide.", "The dragon"),
        ("One by one the boats came in, nudging the quay like calves.", "the boats"),
        ("The children who lived next door ran about like puppies.", "The children"),
        ("The noise the ice makes is like a plucked string.", "The noise"),
        ("drops strung along the threads like abacus beads, macro", "drops"),
        ("product shot of a matte razor, sleek as a bomber, rim light", "a matte razor"),
        ("Bert snored while the cat, stiff as a statue, watched.", "the cat"),
        ("a robber with hands like shovels", "hands"),
        ("She sang like a lark.", None),
    ],
)
def test_the_tenor_is_the_subject_or_the_noun_right_before(text: str, tenor: str | None) -> None:
    (figure,) = plan_by_rules(text, "en").unseen
    assert (None if figure.tenor is None else text[slice(*figure.tenor)]) == tenor


def test_a_mark_belongs_to_the_letter_before_it() -> None:
    text = "The fog crept like a cafe\u0301 over the harbor."
    (figure,) = plan_by_rules(text, "en").unseen
    assert text[slice(*figure.vehicle)] == "cafe\u0301"


def test_a_thing_that_is_also_there_is_not_banned() -> None:
    text = "A dog ran past. The rugs lay by the door like sleeping dogs."
    plan = plan_by_rules(text, "en")
    (figure,) = plan.unseen
    assert figure.also_there and negative(plan) == (text, "")
    assert "only what the text itself puts into the scene" in RENDERERS["instruct"](plan)
    assert negative(plan_by_rules("The rugs lay by the door like sleeping dogs.", "en"))[1] == "dogs"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The fog rolls over the harbor like a train.", ["“The fog”", "“a train”", "long, unbroken"]),
        ("水面像一面镜子。", ["“水面”", "平滑、明亮", "不要把“镜子”画出来"]),
        ("若い医師は、灯台のように立っている。", ["「若い医師」", "「灯台」"]),
        ("وقفت المديرة كالجدار.", ["«المديرة»", "الثبات"]),
    ],
)
def test_instruct_keeps_the_prompt_and_states_the_roles_in_its_language(text: str, said: list[str]) -> None:
    told = RENDERERS["instruct"](plan_by_rules(text))
    assert told.startswith(text + "\n\n") and all(part in told for part in said)


def test_a_language_is_inferred_and_an_unknown_one_is_left_alone() -> None:
    assert [_lang(t) for t in ("a cat", "云像猫一样", "雲が猫のように", "كالقطة", "", "ChatGPT で a cat")] == [
        "en",
        "zh",
        "ja",
        "ar",
        "en",
        "en",
    ]
    assert plan_by_rules("The fog rolls like a train", "fr").abstains


def test_a_plan_is_plain_data() -> None:
    plan = plan_by_rules("The snow is as white as a sheep.", "en").as_dict()
    (figure,) = plan["figures"]
    assert plan["maker"] == "rules" and figure["words"] == {
        "vehicle": "sheep",
        "phrase": "a sheep",
        "tenor": "The snow",
    }
    assert figure["qualities"] == ("white",) and figure["replacement"] == "white" and 0 < figure["confidence"] <= 1


def test_every_class_has_qualities_and_no_class_among_them() -> None:
    assert set(CLASSES) <= set(qualities("en"))
    for adjectives in qualities("en").values():
        assert adjectives and not [m for word in adjectives for m in mentions(f"a {word}") if m[2] not in ("orange",)]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_lexicons_hold_words(lang: str) -> None:
    assert qualities(lang) and all(name.isidentifier() and entries.strip() for name, entries in lists(lang).items())


# --- wrapped by hand ---

WRAPPED = {
    "He ran\nlike a horse": ("horse", "He ran"),
    "The fog rolls over the harbor like a\n  train, and the gulls\ncry.": (
        "train",
        "The fog rolls over the harbor, long and unbroken, and the gulls\ncry.",
    ),
    "The road was as\r\nwhite as a sheep.\r\nNobody came.": ("sheep", "The road was white.\r\nNobody came."),
    "小伙子急得\n像热锅上的蚂蚁，在考场外团团转。": ("蚂蚁", "小伙子很急，在考场外团团转。"),
    "那天傍晚他一个人站在河边的老柳树下面像一\n根木桩立在那里。\n天黑了。": (
        "木桩",
        "那天傍晚他一个人站在河边的老柳树下面立在那里。\n天黑了。",
    ),
    "その日の夕方、若い医師は一人で、古い灯\n台のように廊下の角に立っている。": (
        "灯\n台",
        "その日の夕方、若い医師は一人で、廊下の角に立っている。",
    ),
    "وقفت المديرة بين التلميذين\nكالجدار.": ("جدار", "وقفت المديرة بين التلميذين ثابتة."),
}


@pytest.mark.parametrize(("text", "vehicle", "expected"), [(text, *pair) for text, pair in WRAPPED.items()])
def test_a_simile_broken_over_a_line_is_found_where_it_stands(text: str, vehicle: str, expected: str) -> None:
    plan = plan_by_rules(text)
    assert [plan.quote(figure.vehicle) for figure in plan.unseen] == [vehicle]
    assert RENDERERS["rewrite"](plan) == expected


@pytest.mark.parametrize("text", ["Two dogs\n\nlike a horse", "It was late.\nlike a cat"])
def test_a_new_paragraph_or_sentence_is_no_broken_line(text: str) -> None:
    assert plan_by_rules(text).abstains


def test_two_words_may_name_a_thing_that_is_none_of_the_second() -> None:
    plan = plan_by_rules("The ship moved like a sea horse.", "en")
    (figure,) = plan.unseen
    assert plan.quote(figure.vehicle) == "sea horse" and figure.qualities == ()
    plan = plan_by_rules("He ran like a wild horse.", "en")
    assert [plan.quote(figure.vehicle) for figure in plan.unseen] == ["horse"]


# --- whatever the text ---

_PIECES = {
    "en": 'like as if though the a an cat sheep horse white stands looks is fog river over of in and , . ; ( ) : " <lora:x:1> would '
    "shaped the way resembles size more not just exactly é 0 - ' twenty-two",
    "zh": "像 好像 仿佛 如 似的 一样 一般 般 一 只 匹 的 地 得 云 马 山 立在 扑向 老人 ， 。 、 “ ” 雕 很 白 红 没有 画 是",
    "ja": "の ように ような みたい ごとく さながら めいて を が は に 鏡 猫 月 かけら 流した 切れた 立つ 静か 、 。 「 」 まるで だ 見える",
    "ar": "كالجدار كأنه كأن مثل يشبه أشبه بقطيع من كما لو كان وقف الرجل الليل جبل نار على شكل ، . « » كبير وكالريح كَالْقَمَرِ ـ",
}


@st.composite
def _texts(draw: st.DrawFn) -> tuple[str, str]:
    lang = draw(st.sampled_from(LANGUAGES))
    piece = st.sampled_from(_PIECES[lang].split()) | st.text(max_size=6)
    return lang, draw(st.sampled_from(["", " "])).join(draw(st.lists(piece, max_size=40)))


def _kept(plan: Plan, rewritten: str) -> None:
    """What stands outside the figures is there, in order, and byte-identical."""
    taken_out = [figure for figure in plan.figures if figure.rewritable]
    done = at = 0
    for figure in taken_out:
        start, end = figure.whole
        assert done <= start <= end
        expected = plan.text[done:start] + (figure.replacement or "")
        assert rewritten[at : at + len(expected)] == expected
        done, at = end, at + len(expected)
    assert rewritten[at:] == plan.text[done:]


@settings(max_examples=400)
@given(_texts(), st.text(max_size=20))
def test_no_text_breaks_the_guard_and_nothing_but_figures_changes(drawn: tuple[str, str], context: str) -> None:
    lang, text = drawn
    plan = plan_by_rules(text, lang, context)
    for figure in plan.figures:
        for start, end in filter(None, (figure.marker, figure.vehicle, figure.phrase, figure.whole, figure.tenor)):
            assert 0 <= start <= end <= len(text)
        assert (
            figure.vehicle[0] < figure.vehicle[1]
            and figure.phrase[0] <= figure.vehicle[0]
            and figure.vehicle[1] <= figure.phrase[1]
        )
        assert figure.why and not (figure.seen and figure.replacement is not None)
    rewritten = RENDERERS["rewrite"](plan)
    _kept(plan, rewritten)
    assert RENDERERS["instruct"](plan).startswith(text)
    assert negative(plan)[0] == text
    if plan.abstains:
        assert rewritten == RENDERERS["instruct"](plan) == text


@settings(max_examples=200)
@given(st.text(max_size=200), st.sampled_from([None, *LANGUAGES, "xx"]))
def test_any_characters_at_all(text: str, lang: str | None) -> None:
    plan = plan_by_rules(text, lang, text)
    _kept(plan, RENDERERS["rewrite"](plan))


LONG = {
    "en": (
        "like a cat ",
        "as white as a sheep ",
        "the fog stands like a cat and ",
        "as if a dog were ",
        "reminded of a ",
        "like ",
        "a, ",
        "(",
    ),
    "zh": ("像", "像一只猫", "如雪一样", "似的", "像一堵墙立在的", "的、像"),
    "ja": ("猫のように", "のような", "を流したように", "みたい"),
    "ar": ("كالجدار ", "مثل قط ", "كأنه طوق ", "يشبه لوحًا ", "ك"),
}


@pytest.mark.parametrize(
    ("sentence", "vehicle"),
    [
        ("The road was long and nobody spoke. The fog crept over the harbor like a cat. ", "cat"),
        ("路很长，谁也没有说话。老护林员像一堵墙立在孩子们前面。", "墙"),
        ("道は長く、誰も話さなかった。若い医師は、灯台のように立っている。", "灯台"),
        ("كان الطريق طويلا ولم يتكلم أحد. وقفت المديرة كالجدار. ", "جدار"),
    ],
)
def test_a_hundred_thousand_characters_are_read_to_the_end(sentence: str, vehicle: str) -> None:
    times = 100_000 // len(sentence) + 1
    plan = plan_by_rules(sentence * times)
    assert [plan.quote(figure.vehicle) for figure in plan.figures] == [vehicle] * times
    _kept(plan, RENDERERS["rewrite"](plan))


@pytest.mark.parametrize(
    ("lang", "piece"),
    [
        *((lang, piece) for lang, pieces in LONG.items() for piece in pieces),
        *(("ar", piece) for piece in ("كالقطة ", "كالقطة", "مثل قطة ")),  # a thousand comparisons in one sentence
    ],
)
def test_time_grows_with_the_text_and_not_faster(lang: str, piece: str) -> None:
    plan_by_rules(piece, lang)  # the lexicons are read once

    def seconds(length: int) -> float:
        start = time.process_time()
        plan = plan_by_rules((piece * (length // len(piece) + 1))[:length], lang, "the dog is real")
        rewritten = RENDERERS["rewrite"](plan)
        negative(plan)
        spent = time.process_time() - start
        _kept(plan, rewritten)
        return spent

    short = min(seconds(5_000), seconds(5_000))
    assert seconds(40_000) < 8 * 3 * short + 0.5  # what grows with the square of the length takes 64 times as long
