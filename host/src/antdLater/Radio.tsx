import { lazyPart } from '@iot/shared/ui/lazyPart'

/** Radio buttons load lazily, because only tables with single selection use them. */
export default lazyPart(() => import('antd/es/radio'))
