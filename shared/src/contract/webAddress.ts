/** Addresses below a path, such as `https://host/iot/`, are often written with a slash at the end. */
export const removeTrailingSlash = (address: string) => address.replace(/\/+$/, '')
