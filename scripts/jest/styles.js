// jsdom does not render, so style sheets are replaced by an empty module.
export {}
