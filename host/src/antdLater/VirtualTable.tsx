import { lazyPart } from '@iot/shared/ui/lazyPart'

export default lazyPart(() => import('antd/es/table/RcTable/VirtualTable'))
