// @ts-check

/** Rows of tab-separated values, as texts. @param {string} text @returns {string[][]} */
export function readTsv(text) {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t'));
}
