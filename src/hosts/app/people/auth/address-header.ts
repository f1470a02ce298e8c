/** Tells Better Auth from where somebody signs in. It is made in this process; what a request has of it is not taken over. */
export const ADDRESS_HEADER = "x-vitrine-address";
