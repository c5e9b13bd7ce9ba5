/** A drawing of `tabler.svg` by its name; one that is not there fails the build. */
declare module 'virtual:icon/*' {
  const icon: import('./icon.ts').Icon
  export default icon
}
