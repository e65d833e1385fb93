import { lazyPart } from '@iot/shared/ui/lazyPart'
import { whenIdle } from '../layout/idle'

const load = () => import('antd/es/menu')
void whenIdle(load)

/** The menu of a dropdown loads lazily, because no screen shows one at first. */
export default lazyPart(load)
