/** What went wrong as a sentence that says what to do next: never a stack. */
export function sentenceFor(error: unknown): string {
  const { code, path = 'the file' } = error as NodeJS.ErrnoException
  switch (code) {
    case 'ENOENT':
      return `There is no ${path}. Check the path.`
    case 'ENOTDIR':
      return `${path} is no directory: give one.`
    case 'EISDIR':
      return `${path} is a directory: give a file.`
    case 'EACCES':
    case 'EPERM':
      return `This user may not use ${path}. Change its rights, or run the command as its owner.`
    case 'ENOSPC':
      return 'The disk is full: make room and run the command again.'
    default:
      return error instanceof Error ? error.message || error.name : String(error)
  }
}
