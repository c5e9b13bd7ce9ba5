/** The query of the first page of a list that may be filtered. */
export const firstPage = (status: string | null): Record<string, string> => ({
  limit: '25',
  ...(status === null ? {} : { status }),
})
