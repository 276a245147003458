/** A file cannot be restored; `message` is a sentence for the person at the command line. Nothing was changed. */
export class RestoreError extends Error {}
