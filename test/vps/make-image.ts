/** `.ci/run` starts this early: the image is mostly waited for, and other steps need no mirror. */
import { prepareVpsImage } from '../../src/dev/vps-image.ts';
import { whyNoRealServers } from '../../src/dev/vps-requirements.ts';

const report = (line: string) => console.log(line);
const reason = whyNoRealServers();
report(reason ?? (await prepareVpsImage(report)));
