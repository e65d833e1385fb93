import { createStore } from 'jotai'

/** The single store of the page: host and remotes share it, and the client reads the token from it. */
export const store = createStore()
