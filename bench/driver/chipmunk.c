/* A scene of Chipmunk: a pile of balls and boxes, ramps, a pyramid, a chain and a mill. As many steps as the argument
 * says; prints where the bodies are, and how often they touched and how far rays reach. */
#include <stdio.h>
#include <stdlib.h>

#include <chipmunk/chipmunk.h>

enum { most = 400 };

static cpBody *moved[most];
static int moved_count;
static unsigned long touched;
static unsigned long long random_state = 1;

/* A number from 0 to n. */
static double next(double n)
{
    random_state = random_state * 16807 % 2147483647;
    return (double)(random_state % 65536) / 65536 * n;
}

static cpBody *add_body(cpSpace *space, double mass, double inertia, double x, double y)
{
    cpBody *body = cpSpaceAddBody(space, cpBodyNew(mass, inertia));

    cpBodySetPosition(body, cpv(x, y));
    moved[moved_count++] = body;
    return body;
}

static void add_shape(
    cpSpace *space, cpShape *shape, double friction, double elasticity)
{
    cpShapeSetFriction(shape, friction);
    cpShapeSetElasticity(shape, elasticity);
    cpShapeSetCollisionType(shape, 1);
    cpSpaceAddShape(space, shape);
}

static cpBody *add_ball(cpSpace *space, double radius, double x, double y)
{
    cpBody *body =
        add_body(space, radius, cpMomentForCircle(radius, 0, radius, cpvzero), x, y);

    add_shape(space, cpCircleShapeNew(body, radius, cpvzero), 0.5, 0.4);
    return body;
}

static cpBody *add_box(cpSpace *space, double width, double height, double x, double y)
{
    double mass = width * height / 100;
    cpBody *body = add_body(space, mass, cpMomentForBox(mass, width, height), x, y);

    add_shape(space, cpBoxShapeNew(body, width, height, 0.5), 0.7, 0.1);
    return body;
}

static void add_wall(cpSpace *space, double x0, double y0, double x1, double y1)
{
    cpBody *ground = cpSpaceGetStaticBody(space);

    add_shape(space, cpSegmentShapeNew(ground, cpv(x0, y0), cpv(x1, y1), 2), 1, 0.3);
}

static void build(cpSpace *space)
{
    cpBody *last = cpSpaceGetStaticBody(space), *mill;

    add_wall(space, -400, 0, 400, 0);
    add_wall(space, -400, 0, -400, 900);
    add_wall(space, 400, 0, 400, 900);
    add_wall(space, -400, 500, -100, 350);
    add_wall(space, 380, 420, 120, 300);
    for (int i = 0; i < 9; i++)
        for (int k = 0; k <= i; k++)
            add_box(space, 14, 14, 18.0 * k - 9.0 * i - 200, 200 - 16.0 * i);
    for (int i = 0; i < 200; i++) {
        double x = next(700) - 350, y = 520 + next(350), width = 8 + next(10);

        if (i % 3 == 0)
            add_box(space, width, 8 + next(10), x, y);
        else
            add_ball(space, width / 2, x, y);
    }
    for (int i = 0; i < 15; i++) {
        cpBody *link = add_box(space, 12, 5, 12.0 * i, 700);

        cpSpaceAddConstraint(
            space, cpPivotJointNew(last, link, cpv(12.0 * i - 6, 700)));
        if (i % 5 == 4)
            cpSpaceAddConstraint(space, cpRotaryLimitJointNew(last, link, -1, 1));
        last = link;
    }
    mill = add_box(space, 160, 8, 150, 150);
    add_shape(space, cpBoxShapeNew(mill, 8, 160, 0), 0.7, 0.1);
    cpSpaceAddConstraint(
        space, cpPivotJointNew(cpSpaceGetStaticBody(space), mill, cpv(150, 150)));
    cpSpaceAddConstraint(space, cpSimpleMotorNew(cpSpaceGetStaticBody(space), mill, 2));
    cpSpaceAddConstraint(
        space, cpDampedSpringNew(moved[0], mill, cpvzero, cpv(80, 0), 150, 5, 1));
}

static cpBool on_touch(cpArbiter *arbiter, cpSpace *space, cpDataPointer data)
{
    (void)space, (void)data;
    touched += (unsigned long)cpArbiterGetCount(arbiter);
    return cpTrue;
}

int main(int argc, char **argv)
{
    long steps = argc == 2 ? strtol(argv[1], NULL, 10) : 0;
    cpSpace *space = cpSpaceNew();
    cpSegmentQueryInfo hit;
    double x = 0, y = 0, angle = 0, reached = 0;

    if (steps <= 0) {
        fputs("usage: chipmunk STEPS\n", stderr);
        return 2;
    }
    cpSpaceSetGravity(space, cpv(0, -300));
    cpSpaceSetIterations(space, 10);
    cpSpaceSetSleepTimeThreshold(space, 0.5);
    cpSpaceAddCollisionHandler(space, 1, 1)->beginFunc = on_touch;
    build(space);
    for (long i = 0; i < steps; i++) {
        double from = next(800) - 400, to = next(800) - 400;

        cpSpaceSegmentQueryFirst(
            space, cpv(from, 900), cpv(to, 20), 1, CP_SHAPE_FILTER_ALL, &hit);
        reached += hit.alpha;
        cpSpaceStep(space, 1.0 / 120);
        /* From time to time something is thrown up again. */
        if (i % 4 == 0) {
            cpBody *body = moved[(i / 4 * 7) % moved_count];

            cpBodyActivate(body);
            cpBodyApplyImpulseAtLocalPoint(
                body, cpv(next(100) - 50, cpBodyGetMass(body) * 400), cpv(1, 0));
        }
    }
    for (int i = 0; i < moved_count; i++) {
        cpVect at = cpBodyGetPosition(moved[i]);

        x += at.x;
        y += at.y;
        angle += cpBodyGetAngle(moved[i]);
    }
    printf("%d bodies, %lu touches, %.9g %.9g %.9g %.9g\n", moved_count, touched,
        reached, x, y, angle);
    return 0;
}
