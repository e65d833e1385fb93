import Flex from 'antd/es/flex'
import Tag from 'antd/es/tag'
import type { TableColumnType } from 'antd'
import { useAtomValue } from 'jotai'
import { call } from '@iot/shared/client/call'
import { serverNow } from '@iot/shared/client/serverClock'
import { toTextOptions } from '@iot/shared/contract/options'
import {
  registrationModeText,
  registrationRuleTitles,
} from '@iot/shared/contract/device/registration'
import type {
  ProductSecret,
  RegistrationMode,
  RegistrationRule,
} from '@iot/shared/contract/device/registration.schema'
import { registrationRuleApi } from '@iot/shared/contract/device/registration.api'
import { platformTimeZone, toZonedDate } from '@iot/shared/contract/timeZone'
import { projectsAtom } from '@iot/shared/session/project'
import { ignoreHandled } from '@iot/shared/ui/batch'
import { useFeedback } from '@iot/shared/ui/feedback'
import { renderCode, column } from '@iot/shared/ui/field'
import { choiceFilter, textFilter } from '@iot/shared/ui/filters'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { RecordList, useRecordList } from '@iot/shared/ui/recordList'
import { actionsColumn, createNameRenderer } from '@iot/shared/ui/right'
import { statusColumn, statusOptions } from '@iot/shared/ui/status'
import { useColumns } from '@iot/shared/ui/useColumns'
import { usePage } from '@iot/shared/ui/usePage'
import { useSecretDialog } from '../device/useSecretDialog'

const RuleForm = lazyDialog(() => import('./RuleForm'))
const modeOptions = toTextOptions(registrationModeText)

/** Lists the rules that let devices of a product register themselves, with their limits. */
export function RegistrationRules() {
  const showSecret = useSecretDialog()
  const projects = useAtomValue(projectsAtom)
  const list = useRecordList(registrationRuleApi, {
    draft: 'rule',
    title: '注册规则',
    empty: '还没有注册规则，点“新建注册规则”让一种产品的设备自己注册',
  })

  const showProductSecret = (productSecret: ProductSecret) => showSecret('产品密钥', productSecret)
  const confirmRenewSecret = useSecretRenewal((productSecret) => {
    showProductSecret(productSecret)
    list.refresh()
  })

  const columns = useColumns<RegistrationRule>(
    'registrationRule',
    createRuleColumns({
      sortable: list.sortable,
      projects,
      onEdit: list.edit,
      onRemove: list.remove,
      onRenewSecret: confirmRenewSecret,
    }),
    ['addresses'],
  )

  return (
    <Flex vertical gap={12}>
      <RecordList<RegistrationRule>
        list={list}
        columns={columns}
        filters={[
          textFilter('name', '产品或 ProductKey', 180),
          choiceFilter('mode', '注册方式', modeOptions),
          choiceFilter('status', '状态', statusOptions, 90),
        ]}
        importNote="产品还没有密钥的，导入时生成，只能取走一次"
        form={(rule) => (
          <RuleForm
            rule={rule}
            onSaved={(row) => {
              list.saved(row)
              const { made: productSecret } = row as { made?: ProductSecret | null }
              if (productSecret) showProductSecret(productSecret)
            }}
            onClose={list.close}
          />
        )}
      />
    </Flex>
  )
}

/** Asks before a product secret is renewed, because the old one becomes invalid at once. */
function useSecretRenewal(onRenewed: (productSecret: ProductSecret) => void) {
  const { modal } = useFeedback()
  return ({ id, name, hasSecret }: RegistrationRule) =>
    modal.confirm({
      title: `${hasSecret ? '更换' : '生成'}“${name}”的产品密钥？`,
      content: hasSecret && '旧密钥立即失效：还没有注册的设备要写入新密钥；已注册的不受影响。',
      okText: hasSecret ? '更换' : '生成',
      onOk: () =>
        call(registrationRuleApi.renewSecret, { id }).then(onRenewed).catch(ignoreHandled),
    })
}

type RuleColumnsOptions = {
  sortable: ReturnType<typeof usePage<typeof registrationRuleApi.page>>['sortable']
  projects: { id: number; name: string }[]
  onEdit: (rule: RegistrationRule) => void
  onRemove: (rule: RegistrationRule) => void
  onRenewSecret: (rule: RegistrationRule) => void
}

const createRuleColumns = ({
  sortable,
  projects,
  onEdit,
  onRemove,
  onRenewSecret,
}: RuleColumnsOptions): TableColumnType<RegistrationRule>[] => [
  {
    ...column(registrationRuleTitles, 'name'),
    width: 150,
    ellipsis: true,
    render: createNameRenderer<RegistrationRule>(registrationRuleApi.update, onEdit),
  },
  {
    ...column(registrationRuleTitles, 'productKey'),
    width: 130,
    render: renderCode,
  },
  {
    ...column(registrationRuleTitles, 'mode'),
    width: 104,
    render: (mode: RegistrationMode) => registrationModeText[mode],
  },
  {
    ...column(registrationRuleTitles, 'projectId'),
    width: 120,
    ellipsis: true,
    render: (id: number) => projects.find((project) => project.id === id)?.name ?? '您看不到的项目',
  },
  {
    ...column(registrationRuleTitles, 'approval'),
    width: 84,
    render: (needsApproval: boolean, { mode }) =>
      mode === 'preregistered' ? '—' : needsApproval ? '是' : '否',
  },
  {
    ...column(registrationRuleTitles, 'quota'),
    ...sortable('quota'),
    width: 96,
    align: 'right',
    render: (quota: number | null) => (quota === 0 ? <Tag>已用完</Tag> : (quota ?? '不限')),
  },
  {
    ...column(registrationRuleTitles, 'expireTime'),
    ...sortable('expireTime'),
    width: 116,
    render: (time: string | null) =>
      !time ? (
        '长期'
      ) : Date.parse(time) < serverNow() ? (
        <Tag>已过期</Tag>
      ) : (
        toZonedDate(time, platformTimeZone)
      ),
  },
  {
    ...column(registrationRuleTitles, 'addresses'),
    width: 150,
    ellipsis: true,
    render: (list: string[]) => list.join('、') || '不限',
  },
  statusColumn<RegistrationRule>(),
  actionsColumn<RegistrationRule>({
    api: registrationRuleApi,
    edit: onEdit,
    remove: onRemove,
    more: (row) => [
      {
        label: row.hasSecret ? '更换产品密钥' : '生成产品密钥',
        to: registrationRuleApi.renewSecret,
        unless: row.node === 'sub' && '网关子设备不用产品密钥',
        onClick: () => onRenewSecret(row),
      },
    ],
  }),
]
