export { readPageMeta } from '../contract/pageMeta'
