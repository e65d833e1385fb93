import * as app from 'antd/es/app'
import * as button from 'antd/es/button'
import * as flex from 'antd/es/flex'
import * as form from 'antd/es/form'
import * as input from 'antd/es/input'
import * as modal from 'antd/es/modal'
import * as select from 'antd/es/select'
import * as space from 'antd/es/space'
import * as table from 'antd/es/table'
import * as tag from 'antd/es/tag'
import * as tooltip from 'antd/es/tooltip'
import * as useRequest from 'ahooks/es/useRequest'

/** What nearly every screen shows comes with the shell; the rest of antd and ahooks is loaded when a screen asks. */
export const common: Record<string, unknown> = {
  'antd/es/app': app,
  'antd/es/button': button,
  'antd/es/flex': flex,
  'antd/es/form': form,
  'antd/es/input': input,
  'antd/es/modal': modal,
  'antd/es/select': select,
  'antd/es/space': space,
  'antd/es/table': table,
  'antd/es/tag': tag,
  'antd/es/tooltip': tooltip,
  'ahooks/es/useRequest': useRequest,
}
