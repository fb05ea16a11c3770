/** HTTP method of an operation. */
export type Method = "GET" | "POST" | "PATCH" | "DELETE";
