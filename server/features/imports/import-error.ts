/** A file cannot be imported, or not any further; `message` is a sentence for its user. */
export class ImportError extends Error {}

/** A row cannot become an event; `message` is the reason, the same for all rows alike. */
export class RowProblem extends Error {}
