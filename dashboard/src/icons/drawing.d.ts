/** A drawing of Tabler's by its name; one that is not there fails the build. */
declare module 'virtual:icon/*' {
  const icon: import('./icon.ts').Icon
  export default icon
}
