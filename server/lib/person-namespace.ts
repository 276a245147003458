/** The namespace of Burrow's person ids, in hexadecimal: a random UUID made once. */
export const PERSON_UUID_NAMESPACE = '6e1d3f0ac2b54e7795d1f08a3c7be214';
