import { lazyPart } from '@iot/shared/ui/lazyPart'

export default lazyPart(() => import('antd/es/input/OTP'))
