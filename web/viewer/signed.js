// Changes of the balance, with their sign.

/** Returns a change in the reader's language: “+75”, “-30”. */
export const signed = (change, say) => new Intl.NumberFormat(say.lang, { signDisplay: "exceptZero" }).format(change);
