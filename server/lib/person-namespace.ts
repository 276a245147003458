/** The namespace of Burrow's person IDs, in hexadecimal: a random UUID that never changes. */
export const PERSON_UUID_NAMESPACE = '6e1d3f0ac2b54e7795d1f08a3c7be214';
