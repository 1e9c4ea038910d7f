// modes: O1 code limit
#include <stdio.h>

/* A jump table of 300 cases, some of which share their code, in a loop. */

static int table(int x)
{
    int n = x;

    switch (x) {
    case 0:
        return n + 0;
    case 2:
        n ^= 1; /* fall through */
    case 4:
        n += 2;
        break;
    case 6:
    case 8:
        n += 4;
        break;
    case 10:
        return n + 5;
    case 12:
        n += 6;
        break;
    case 14:
        n += 7;
        break;
    case 16:
        n += 8;
        break;
    case 18:
        n += 9;
        break;
    case 20:
    case 22:
        n += 11;
        break;
    case 24:
        n ^= 12; /* fall through */
    case 26:
        n += 13;
        break;
    case 28:
        n += 14;
        break;
    case 30:
        return n + 15;
    case 32:
        n += 16;
        break;
    case 34:
    case 36:
        n += 18;
        break;
    case 38:
        n += 19;
        break;
    case 40:
        return n + 20;
    case 42:
        n += 21;
        break;
    case 44:
        n += 22;
        break;
    case 46:
        n ^= 23; /* fall through */
    case 48:
    case 50:
        return n + 25;
    case 52:
        n += 26;
        break;
    case 54:
        n += 27;
        break;
    case 56:
        n += 28;
        break;
    case 58:
        n += 29;
        break;
    case 60:
        return n + 30;
    case 62:
    case 64:
        n += 32;
        break;
    case 66:
        n += 33;
        break;
    case 68:
        n ^= 34; /* fall through */
    case 70:
        return n + 35;
    case 72:
        n += 36;
        break;
    case 74:
        n += 37;
        break;
    case 76:
    case 78:
        n += 39;
        break;
    case 80:
        return n + 40;
    case 82:
        n += 41;
        break;
    case 84:
        n += 42;
        break;
    case 86:
        n += 43;
        break;
    case 88:
        n += 44;
        break;
    case 90:
    case 92:
        n += 46;
        break;
    case 94:
        n += 47;
        break;
    case 96:
        n += 48;
        break;
    case 98:
        n += 49;
        break;
    case 100:
        return n + 50;
    case 102:
        n += 51;
        break;
    case 104:
    case 106:
        n += 53;
        break;
    case 108:
        n += 54;
        break;
    case 110:
        return n + 55;
    case 112:
        n ^= 56; /* fall through */
    case 114:
        n += 57;
        break;
    case 116:
        n += 58;
        break;
    case 118:
    case 120:
        return n + 60;
    case 122:
        n += 61;
        break;
    case 124:
        n += 62;
        break;
    case 126:
        n += 63;
        break;
    case 128:
        n += 64;
        break;
    case 130:
        return n + 65;
    case 132:
    case 134:
        n ^= 67; /* fall through */
    case 136:
        n += 68;
        break;
    case 138:
        n += 69;
        break;
    case 140:
        return n + 70;
    case 142:
        n += 71;
        break;
    case 144:
        n += 72;
        break;
    case 146:
    case 148:
        n += 74;
        break;
    case 150:
        return n + 75;
    case 152:
        n += 76;
        break;
    case 154:
        n += 77;
        break;
    case 156:
        n ^= 78; /* fall through */
    case 158:
        n += 79;
        break;
    case 160:
    case 162:
        n += 81;
        break;
    case 164:
        n += 82;
        break;
    case 166:
        n += 83;
        break;
    case 168:
        n += 84;
        break;
    case 170:
        return n + 85;
    case 172:
        n += 86;
        break;
    case 174:
    case 176:
        n += 88;
        break;
    case 178:
        n ^= 89; /* fall through */
    case 180:
        return n + 90;
    case 182:
        n += 91;
        break;
    case 184:
        n += 92;
        break;
    case 186:
        n += 93;
        break;
    case 188:
    case 190:
        return n + 95;
    case 192:
        n += 96;
        break;
    case 194:
        n += 97;
        break;
    case 196:
        n += 98;
        break;
    case 198:
        n += 99;
        break;
    case 200:
        return n + 100;
    case 202:
    case 204:
        n += 102;
        break;
    case 206:
        n += 103;
        break;
    case 208:
        n += 104;
        break;
    case 210:
        return n + 105;
    case 212:
        n += 106;
        break;
    case 214:
        n += 107;
        break;
    case 216:
    case 218:
        n += 109;
        break;
    case 220:
        return n + 110;
    case 222:
        n ^= 111; /* fall through */
    case 224:
        n += 112;
        break;
    case 226:
        n += 113;
        break;
    case 228:
        n += 114;
        break;
    case 230:
    case 232:
        n += 116;
        break;
    case 234:
        n += 117;
        break;
    case 236:
        n += 118;
        break;
    case 238:
        n += 119;
        break;
    case 240:
        return n + 120;
    case 242:
        n += 121;
        break;
    case 244:
    case 246:
        n += 123;
        break;
    case 248:
        n += 124;
        break;
    case 250:
        return n + 125;
    case 252:
        n += 126;
        break;
    case 254:
        n += 127;
        break;
    case 256:
        n += 128;
        break;
    case 258:
    case 260:
        return n + 130;
    case 262:
        n += 131;
        break;
    case 264:
        n += 132;
        break;
    case 266:
        n ^= 133; /* fall through */
    case 268:
        n += 134;
        break;
    case 270:
        return n + 135;
    case 272:
    case 274:
        n += 137;
        break;
    case 276:
        n += 138;
        break;
    case 278:
        n += 139;
        break;
    case 280:
        return n + 140;
    case 282:
        n += 141;
        break;
    case 284:
        n += 142;
        break;
    case 286:
    case 288:
        n ^= 144; /* fall through */
    case 290:
        return n + 145;
    case 292:
        n += 146;
        break;
    case 294:
        n += 147;
        break;
    case 296:
        n += 148;
        break;
    case 298:
        n += 149;
        break;
    case 300:
    case 302:
        n += 151;
        break;
    case 304:
        n += 152;
        break;
    case 306:
        n += 153;
        break;
    case 308:
        n += 154;
        break;
    case 310:
        return n + 155;
    case 312:
        n += 156;
        break;
    case 314:
    case 316:
        n += 158;
        break;
    case 318:
        n += 159;
        break;
    case 320:
        return n + 160;
    case 322:
        n += 161;
        break;
    case 324:
        n += 162;
        break;
    case 326:
        n += 163;
        break;
    case 328:
    case 330:
        return n + 165;
    case 332:
        n ^= 166; /* fall through */
    case 334:
        n += 167;
        break;
    case 336:
        n += 168;
        break;
    case 338:
        n += 169;
        break;
    case 340:
        return n + 170;
    case 342:
    case 344:
        n += 172;
        break;
    case 346:
        n += 173;
        break;
    case 348:
        n += 174;
        break;
    case 350:
        return n + 175;
    case 352:
        n += 176;
        break;
    case 354:
        n ^= 177; /* fall through */
    case 356:
    case 358:
        n += 179;
        break;
    case 360:
        return n + 180;
    case 362:
        n += 181;
        break;
    case 364:
        n += 182;
        break;
    case 366:
        n += 183;
        break;
    case 368:
        n += 184;
        break;
    case 370:
    case 372:
        n += 186;
        break;
    case 374:
        n += 187;
        break;
    case 376:
        n ^= 188; /* fall through */
    case 378:
        n += 189;
        break;
    case 380:
        return n + 190;
    case 382:
        n += 191;
        break;
    case 384:
    case 386:
        n += 193;
        break;
    case 388:
        n += 194;
        break;
    case 390:
        return n + 195;
    case 392:
        n += 196;
        break;
    case 394:
        n += 197;
        break;
    case 396:
        n += 198;
        break;
    case 398:
    case 400:
        return n + 200;
    case 402:
        n += 201;
        break;
    case 404:
        n += 202;
        break;
    case 406:
        n += 203;
        break;
    case 408:
        n += 204;
        break;
    case 410:
        return n + 205;
    case 412:
    case 414:
        n += 207;
        break;
    case 416:
        n += 208;
        break;
    case 418:
        n += 209;
        break;
    case 420:
        return n + 210;
    case 422:
        n += 211;
        break;
    case 424:
        n += 212;
        break;
    case 426:
    case 428:
        n += 214;
        break;
    case 430:
        return n + 215;
    case 432:
        n += 216;
        break;
    case 434:
        n += 217;
        break;
    case 436:
        n += 218;
        break;
    case 438:
        n += 219;
        break;
    case 440:
    case 442:
        n ^= 221; /* fall through */
    case 444:
        n += 222;
        break;
    case 446:
        n += 223;
        break;
    case 448:
        n += 224;
        break;
    case 450:
        return n + 225;
    case 452:
        n += 226;
        break;
    case 454:
    case 456:
        n += 228;
        break;
    case 458:
        n += 229;
        break;
    case 460:
        return n + 230;
    case 462:
        n += 231;
        break;
    case 464:
        n ^= 232; /* fall through */
    case 466:
        n += 233;
        break;
    case 468:
    case 470:
        return n + 235;
    case 472:
        n += 236;
        break;
    case 474:
        n += 237;
        break;
    case 476:
        n += 238;
        break;
    case 478:
        n += 239;
        break;
    case 480:
        return n + 240;
    case 482:
    case 484:
        n += 242;
        break;
    case 486:
        n ^= 243; /* fall through */
    case 488:
        n += 244;
        break;
    case 490:
        return n + 245;
    case 492:
        n += 246;
        break;
    case 494:
        n += 247;
        break;
    case 496:
    case 498:
        n += 249;
        break;
    case 12500:
        return n + 250;
    case 12550:
        n += 251;
        break;
    case 12600:
        n += 252;
        break;
    case 12650:
        n += 253;
        break;
    case 12700:
        n ^= 254; /* fall through */
    case 12750:
    case 12800:
        n += 256;
        break;
    case 12850:
        n += 257;
        break;
    case 12900:
        n += 258;
        break;
    case 12950:
        n += 259;
        break;
    case 13000:
        return n + 260;
    case 13050:
        n += 261;
        break;
    case 13100:
    case 13150:
        n += 263;
        break;
    case 13200:
        n += 264;
        break;
    case 13250:
        return n + 265;
    case 13300:
        n += 266;
        break;
    case 13350:
        n += 267;
        break;
    case 13400:
        n += 268;
        break;
    case 13450:
    case 13500:
        return n + 270;
    case 13550:
        n += 271;
        break;
    case 13600:
        n += 272;
        break;
    case 13650:
        n += 273;
        break;
    case 13700:
        n += 274;
        break;
    case 13750:
        return n + 275;
    case 13800:
    case 13850:
        n += 277;
        break;
    case 13900:
        n += 278;
        break;
    case 13950:
        n += 279;
        break;
    case 14000:
        return n + 280;
    case 14050:
        n += 281;
        break;
    case 14100:
        n += 282;
        break;
    case 14150:
    case 14200:
        n += 284;
        break;
    case 14250:
        return n + 285;
    case 14300:
        n += 286;
        break;
    case 14350:
        n ^= 287; /* fall through */
    case 14400:
        n += 288;
        break;
    case 14450:
        n += 289;
        break;
    case 14500:
    case 14550:
        n += 291;
        break;
    case 14600:
        n += 292;
        break;
    case 14650:
        n += 293;
        break;
    case 14700:
        n += 294;
        break;
    case 14750:
        return n + 295;
    case 14800:
        n += 296;
        break;
    case 14850:
    case 14900:
        n ^= 298; /* fall through */
    case 14950:
        n += 299;
        break;
        break;
    }
    return n * 2;
}

int main(void)
{
    long sum = 0;

    for (int i = 0; i < 700; i += 3)
        sum += table(i) + table(i * 50);
    printf("%ld\n", sum);
    return 0;
}
