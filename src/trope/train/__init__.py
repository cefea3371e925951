"""The reasoner: from agreed labels and explanations to an adapter that is a subject of `trope run m3r`.

::

    config.py       a TOML file to what is trained, and how;  presets/ the published settings, launch/ many GPUs
    examples.py     one labelled picture-and-text with its explanations, and files of them
    targets.py      what a model is asked in each stage, and the reply it learns;  prompts/ the words
    quality.py      which examples are fit to learn from, and why not;  verify.py asks a model with eyes
    disjoint.py     none of them may be in the benchmark
    corpus.py       the three corpora: counts, files, reasons
    tokens.py       how long an example is to a model; nothing is cut
    choices.py      device, precision, attention, batches: what is chosen for you, and why
    stages.py       what every stage has in common: its folder, its base, going on, the link it leaves
    adapter.py      one LoRA adapter carried through, each link of the chain hashed
    checkpoints.py  whole or not there; a killed run goes on
    metrics.py      a JSONL file of every step, and curves of it
    curriculum.py   recipe: supervised, stage after stage
    rewards.py      what a sampled reply earns
    grpo.py         recipe: group relative policy optimization
    ablate.py       the recipes with parts taken away, and a table
    merge.py        the adapter put into the weights
    baseline.py     encoders with linear heads, for comparison

Nothing here is loaded before it is used: ``import trope.train`` imports no torch.
"""
