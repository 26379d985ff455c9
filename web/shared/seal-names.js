// The names of the ten seals, in the order of their drawings.

export const SEAL_NAMES = ["ring", "heart", "star", "paw", "crown", "bolt", "leaf", "moon", "key", "flower"];
