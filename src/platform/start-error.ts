/** The reason why the service cannot start, as a sentence that says what to do. */
export class StartError extends Error {}

/** A path in a command that such a sentence tells people to run: a shell takes it for one word, whatever is in it. */
export const shellWord = (path: string) => (/^[\w%+,./:=@-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`)
