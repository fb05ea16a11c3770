/**
 * The search of the site, in the browser and in tests. TypeDoc's own matches each word anywhere in a word ("a" in all of them) and has no
 * place for headings.
 */
globalThis.siteSearch = (index, rows, text) => {
  const common = new Set("a an and are as at be by can do does for from how i in into is it my of on one or our the to what which with".split(" "));
  const typed = text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}_-]*/gu) ?? [];
  const telling = typed.filter((word) => !common.has(word));
  const words = telling.length > 0 ? telling : typed;
  if (words.length === 0) return [];
  // Plurals and other endings: the beginning of a word counts, and less than the word itself.
  const stem = (word) => (word.length > 5 ? word.replace(/(?:ies|ing|es|s|y|e)$/, "") : word);
  const found = index.query((query) => {
    for (const word of words) {
      query.term(word, { usePipeline: false, boost: 4 });
      query.term(`${stem(word)}*`, { usePipeline: false });
    }
  });
  const phrase = typed.join(" ");
  for (const result of found) {
    const name = rows[Number(result.ref)].name.toLowerCase();
    const matched = words.filter((word) => Object.keys(result.matchData.metadata).some((term) => term.startsWith(stem(word)))).length;
    result.score *= (matched / words.length) ** 2;
    if (name === phrase) result.score *= 20;
    else if (name.startsWith(phrase)) result.score *= 3;
  }
  return found.toSorted((a, b) => b.score - a.score);
};
