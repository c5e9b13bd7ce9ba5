/** The reason why the service cannot start, as a sentence that says what to do. */
export class StartError extends Error {}
