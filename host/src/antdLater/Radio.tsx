import { lazyPart } from '@iot/shared/ui/lazyPart'

/** Of tables in which one row is chosen. */
export default lazyPart(() => import('antd/es/radio'))
