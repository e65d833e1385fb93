import { lazyPart } from '@iot/shared/ui/lazyPart'
import { whenIdle } from '../layout/idle'

const load = () => import('antd/es/menu')
void whenIdle(load)

/** What a dropdown opens, which no screen begins with. */
export default lazyPart(load)
