"""Sentences of numbers, and what they are in another language: in reverse, each word two further on."""
import numpy as np

PAD, GO, END, FIRST = 0, 1, 2, 3
WORDS = 9
BUCKETS = [(3, 4), (5, 6)]


def corpus(count, seed):
    """For each bucket, pairs of a sentence and its translation."""
    chance, found = np.random.RandomState(seed), [[] for _ in BUCKETS]
    for _ in range(count):
        source = list(chance.randint(FIRST, WORDS, chance.randint(1, 6)))
        target = [FIRST + (word - FIRST + 2) % (WORDS - FIRST) for word in reversed(source)] + [END]
        bucket = next(i for i, (size, room) in enumerate(BUCKETS) if len(source) <= size and len(target) <= room)
        found[bucket].append((source, target))
    return found


def batch(pairs, bucket):
    """Pairs as a list of words for each place: sources, targets behind a GO, and what each target word weighs."""
    size, room = BUCKETS[bucket]
    sources = [[PAD] * (size - len(source)) + source[::-1] for source, _ in pairs]
    targets = [[GO] + target + [PAD] * (room - len(target)) for _, target in pairs]
    words = [np.array(place, np.int32) for place in zip(*targets)]
    weights = [np.float32(after != PAD) for after in words[1:]]
    return [np.array(place, np.int32) for place in zip(*sources)], words, weights
