/** The header that passes the client's address to Better Auth. A value sent by the client is ignored. */
export const ADDRESS_HEADER = "x-vitrine-address";
