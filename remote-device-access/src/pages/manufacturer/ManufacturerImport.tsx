import { call } from '@iot/shared/client/call'
import { manufacturerApi } from '@iot/shared/contract/manufacturer'
import ImportDialog from '@iot/shared/ui/importDialog'
import { sheet } from './manufacturerSheet'

type ManufacturerImportProps = { onImported: () => void; onClose: () => void }

export default function ManufacturerImport(props: ManufacturerImportProps) {
  return <ImportDialog name="厂商" columns={sheet} send={(rows, signal) => call(manufacturerApi.importRows, { rows }, { signal })} {...props} />
}
