/** Options whose name contains what was typed, those that begin with it first; at most `most`. */
export function matching<Option extends { label: string }>(
  options: readonly Option[],
  typed: string,
  most: number,
): { shown: Option[]; count: number } {
  const wanted = typed.toLowerCase();
  if (wanted === '') return { shown: options.slice(0, most), count: options.length };
  const terms = wanted.split(/\s+/);
  const ranks: Option[][] = [[], [], [], []];
  let count = 0;
  for (const option of options) {
    const label = option.label.toLowerCase();
    if (!terms.every((term) => label.includes(term))) continue;
    count += 1;
    const at = label.indexOf(wanted);
    const isWord = at > 0 && /[^a-z0-9]/.test(label[at - 1]!);
    ranks[label === wanted ? 0 : at === 0 || (at === 1 && label[0] === '$') ? 1 : isWord ? 2 : 3]!.push(
      option,
    );
  }
  return { shown: ranks.flat().slice(0, most), count };
}
