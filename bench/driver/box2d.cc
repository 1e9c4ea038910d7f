// A scene of Box2D: a pyramid, a bridge, a car, a tumbler and fast small bodies, for as many steps as the argument says.
// Prints where the bodies are and how often they touched and were seen.
#include <cstdio>
#include <cstdlib>

#include "box2d/box2d.h"

namespace
{

unsigned long long random_state = 1;

// A number from 0 to n.
float next(float n)
{
    random_state = random_state * 16807 % 2147483647;
    return static_cast<float>(random_state % 65536) / 65536.0f * n;
}

struct touches : b2ContactListener {
    unsigned long begun = 0, solved = 0;

    void BeginContact(b2Contact *) override
    {
        begun++;
    }
    void PostSolve(b2Contact *, const b2ContactImpulse *impulse) override
    {
        solved += static_cast<unsigned long>(impulse->count);
    }
};

struct seen : b2QueryCallback, b2RayCastCallback {
    unsigned long found = 0;
    double share = 0;

    bool ReportFixture(b2Fixture *) override
    {
        found++;
        return true;
    }
    float ReportFixture(
        b2Fixture *, const b2Vec2 &, const b2Vec2 &, float fraction) override
    {
        share += static_cast<double>(fraction);
        return fraction;
    }
};

b2Body *add(b2World &world, const b2Shape &shape, float x, float y, float density,
    b2BodyType type = b2_dynamicBody)
{
    b2BodyDef definition;
    b2FixtureDef fixture;
    b2Body *body;

    definition.type = type;
    definition.position.Set(x, y);
    body = world.CreateBody(&definition);
    fixture.shape = &shape;
    fixture.density = density;
    fixture.friction = 0.6f;
    fixture.restitution = 0.1f;
    body->CreateFixture(&fixture);
    return body;
}

b2PolygonShape box(float width, float height)
{
    b2PolygonShape shape;

    shape.SetAsBox(width / 2, height / 2);
    return shape;
}

b2CircleShape circle(float radius)
{
    b2CircleShape shape;

    shape.m_radius = radius;
    return shape;
}

b2Body *add_ground(b2World &world)
{
    const b2Vec2 hills[] = {{60, 40}, {60, 5}, {45, 0}, {20, 0}, {10, 3}, {0, 0},
        {-10, 2}, {-20, 0}, {-60, 0}, {-60, 40}};
    b2ChainShape shape;

    // From right to left, because only one side collides.
    shape.CreateChain(hills, 10, b2Vec2(61, 40), b2Vec2(-61, 40));
    return add(world, shape, 0, 0, 0, b2_staticBody);
}

void add_pyramid(b2World &world, int rows)
{
    for (int i = 0; i < rows; i++)
        for (int k = i; k < rows; k++)
            add(world, box(1, 1),
                -40 + 1.1f * static_cast<float>(k) - 0.55f * static_cast<float>(i),
                0.6f + 1.05f * static_cast<float>(i), 5);
}

void add_bridge(b2World &world, b2Body *ground)
{
    b2Body *last = ground;
    b2RevoluteJointDef joint;

    for (int i = 0; i < 20; i++) {
        b2Body *plank =
            add(world, box(1, 0.25f), 20.5f + static_cast<float>(i), 10, 20);

        joint.Initialize(last, plank, b2Vec2(20 + static_cast<float>(i), 10));
        world.CreateJoint(&joint);
        last = plank;
    }
    joint.Initialize(last, ground, b2Vec2(40, 10));
    world.CreateJoint(&joint);
}

void add_car(b2World &world)
{
    const float axles[] = {-17, -15};
    b2Body *chassis = add(world, box(3, 0.6f), -16, 2, 1);

    for (float x : axles) {
        b2Body *wheel = add(world, circle(0.4f), x, 1.4f, 1);
        b2WheelJointDef joint;

        joint.Initialize(chassis, wheel, wheel->GetPosition(), b2Vec2(0, 1));
        joint.motorSpeed = -15;
        joint.maxMotorTorque = 20;
        joint.enableMotor = true;
        joint.stiffness = 60;
        joint.damping = 4;
        world.CreateJoint(&joint);
    }
}

void add_tumbler(b2World &world, b2Body *ground)
{
    b2BodyDef definition;
    b2RevoluteJointDef joint;
    b2PolygonShape wall;
    b2Body *body;

    definition.type = b2_dynamicBody;
    definition.position.Set(0, 18);
    definition.allowSleep = false;
    body = world.CreateBody(&definition);
    wall.SetAsBox(0.5f, 6, b2Vec2(6, 0), 0);
    body->CreateFixture(&wall, 5);
    wall.SetAsBox(0.5f, 6, b2Vec2(-6, 0), 0);
    body->CreateFixture(&wall, 5);
    wall.SetAsBox(6, 0.5f, b2Vec2(0, 6), 0);
    body->CreateFixture(&wall, 5);
    wall.SetAsBox(6, 0.5f, b2Vec2(0, -6), 0);
    body->CreateFixture(&wall, 5);
    joint.Initialize(ground, body, b2Vec2(0, 18));
    joint.motorSpeed = 0.3f;
    joint.maxMotorTorque = 1e7f;
    joint.enableMotor = true;
    world.CreateJoint(&joint);
    for (int i = 0; i < 100; i++)
        add(world, box(0.6f, 0.4f), -4 + 0.8f * static_cast<float>(i % 10),
            14 + 0.7f * static_cast<float>(i / 10), 1);
}

// Fast and small: found by the time of impact only.
void add_bullet(b2World &world)
{
    float x = next(80) - 40, speed = next(200) - 100;
    b2Body *body = add(world, circle(0.15f), x, 30, 20);

    body->SetBullet(true);
    body->SetLinearVelocity(b2Vec2(speed, -150));
}

} // namespace

int main(int argc, char **argv)
{
    long steps = argc == 2 ? std::strtol(argv[1], nullptr, 10) : 0;
    b2World world(b2Vec2(0, -10));
    touches touched;
    seen saw;
    b2Body *ground;
    double x = 0, y = 0, angle = 0;

    if (steps <= 0) {
        fputs("usage: box2d STEPS\n", stderr);
        return 2;
    }
    world.SetContactListener(&touched);
    ground = add_ground(world);
    add_pyramid(world, 12);
    add_bridge(world, ground);
    add_car(world);
    add_tumbler(world, ground);
    for (long i = 0; i < steps; i++) {
        b2AABB area;
        b2Vec2 from(next(120) - 60, 40), to(next(120) - 60, -1);

        if (i % 20 == 0) {
            // The oldest bullet disappears: new bodies are first in the list.
            if (i >= 600) {
                b2Body *old = world.GetBodyList();

                for (int k = 0; k < 29; k++)
                    old = old->GetNext();
                world.DestroyBody(old);
            }
            add_bullet(world);
        }
        world.Step(1.0f / 60, 8, 3);
        area.lowerBound.Set(from.x - 3, 0);
        area.upperBound.Set(from.x + 3, 10);
        world.QueryAABB(&saw, area);
        world.RayCast(&saw, from, to);
    }
    for (b2Body *body = world.GetBodyList(); body; body = body->GetNext()) {
        x += static_cast<double>(body->GetPosition().x);
        y += static_cast<double>(body->GetPosition().y);
        angle += static_cast<double>(body->GetAngle());
    }
    printf("%d bodies, %lu touches, %lu solved, %lu seen, %.9g, %.9g %.9g %.9g\n",
        world.GetBodyCount(), touched.begun, touched.solved, saw.found, saw.share, x, y,
        angle);
    return 0;
}
