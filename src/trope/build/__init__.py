"""Building sets of items: similes that models write and judge, visual metaphors out of pictures."""
