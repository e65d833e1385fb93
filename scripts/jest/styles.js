// jsdom draws nothing, so styles are not read.
export {}
