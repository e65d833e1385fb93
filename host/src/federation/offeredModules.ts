// The build adds one import per module of antd, ahooks and `shared` that a remote may use
// (scripts/webpack/offeredModules.cjs). The module is part of the build but never runs, so that nothing loads early.
import '@ant-design/icons/es/components/AntdIconLight'
import 'dayjs'
import 'jotai'
import 'jotai/utils'
import 'react'
import 'react/jsx-runtime'
import 'react-dom'
import './offeredRouter'
import './offeredRouterCore'

export {}
