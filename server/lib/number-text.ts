/**
 * Texts that are numbers: the grammar of JSON, so that `007` and `1_000` stay texts. In RE2 and JavaScript it means the
 * same.
 */
export const NUMBER_PATTERN = '-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][+-]?[0-9]+)?';
