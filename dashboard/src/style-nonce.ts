/** The policy lets only style elements with this nonce in; it is another one for every page that is sent. */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? ''

// The package that keeps the page from scrolling behind a dialog looks for it under this name.
Object.assign(globalThis, { __webpack_nonce__: styleNonce })
