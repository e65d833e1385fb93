import * as button from 'antd/es/button'
import * as flex from 'antd/es/flex'
import * as input from 'antd/es/input'
import * as select from 'antd/es/select'
import * as space from 'antd/es/space'
import * as table from 'antd/es/table'
import * as tag from 'antd/es/tag'
import * as tooltip from 'antd/es/tooltip'
import * as useRequest from 'ahooks/es/useRequest'
import * as areaFilter from '@iot/shared/ui/areaFilter'
import * as batch from '@iot/shared/ui/batch'
import * as confirmRemove from '@iot/shared/ui/confirmRemove'
import * as feedback from '@iot/shared/ui/feedback'
import * as field from '@iot/shared/ui/field'
import * as filters from '@iot/shared/ui/filters'
import * as importExport from '@iot/shared/ui/importExport'
import * as lazyPart from '@iot/shared/ui/lazyPart'
import * as listTable from '@iot/shared/ui/listTable'
import * as listTabs from '@iot/shared/ui/listTabs'
import * as onDemand from '@iot/shared/ui/onDemand'
import * as panel from '@iot/shared/ui/panel'
import * as right from '@iot/shared/ui/right'
import * as status from '@iot/shared/ui/status'
import * as toolbar from '@iot/shared/ui/toolbar'
import * as useColumns from '@iot/shared/ui/useColumns'
import * as useDraft from '@iot/shared/ui/useDraft'
import * as useMyTasks from '@iot/shared/ui/useMyTasks'
import * as usePage from '@iot/shared/ui/usePage'
import * as waitingLines from '@iot/shared/ui/waitingLines'

/** Shared modules that nearly every screen uses come with the shell; the rest of antd and ahooks loads on demand. */
export const common: Record<string, unknown> = {
  'antd/es/button': button,
  'antd/es/flex': flex,
  'antd/es/input': input,
  'antd/es/select': select,
  'antd/es/space': space,
  'antd/es/table': table,
  'antd/es/tag': tag,
  'antd/es/tooltip': tooltip,
  'ahooks/es/useRequest': useRequest,
  '@iot/shared/ui/areaFilter': areaFilter,
  '@iot/shared/ui/batch': batch,
  '@iot/shared/ui/confirmRemove': confirmRemove,
  '@iot/shared/ui/feedback': feedback,
  '@iot/shared/ui/field': field,
  '@iot/shared/ui/filters': filters,
  '@iot/shared/ui/importExport': importExport,
  '@iot/shared/ui/lazyPart': lazyPart,
  '@iot/shared/ui/listTable': listTable,
  '@iot/shared/ui/listTabs': listTabs,
  '@iot/shared/ui/onDemand': onDemand,
  '@iot/shared/ui/panel': panel,
  '@iot/shared/ui/right': right,
  '@iot/shared/ui/status': status,
  '@iot/shared/ui/toolbar': toolbar,
  '@iot/shared/ui/useColumns': useColumns,
  '@iot/shared/ui/useDraft': useDraft,
  '@iot/shared/ui/useMyTasks': useMyTasks,
  '@iot/shared/ui/usePage': usePage,
  '@iot/shared/ui/waitingLines': waitingLines,
}
