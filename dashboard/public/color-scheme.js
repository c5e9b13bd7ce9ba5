// Before the first paint, so that nobody who prefers dark sees a white flash. Mantine reads the same entry later.
{
  let chosen = null
  try {
    chosen = localStorage.getItem('mantine-color-scheme-value')
  } catch {
    // Storage can be switched off; the system's preference then decides.
  }
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.mantineColorScheme = dark ? 'dark' : 'light'
}
