import './reflect-metadata.ts'

/** The one door to the X.509 library: it fails to load unless the metadata functions are there first. */
export * from '@peculiar/x509'
