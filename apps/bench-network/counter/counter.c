// A plugin of QEMU's (docs/devel/tcg-plugins.rst there): counts the instructions that a machine executes, by the
// addresses of its blocks, in a file that others map too. A block that an exception ends counts as a whole.
//
// The few declarations are of QEMU's documented interface; version 1 is that of QEMU 4.2 to 8.2, later ones of others.
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef uint64_t plugin_id;
struct block;
struct instruction;
struct information;
typedef void (*translated)(plugin_id, struct block *);
typedef void (*executed)(unsigned processor, void *data);

void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id, translated);
void qemu_plugin_register_vcpu_tb_exec_cb(struct block *, executed, int flags, void *data);
size_t qemu_plugin_tb_n_insns(const struct block *);
uint64_t qemu_plugin_tb_vaddr(const struct block *);

#define EXPORTED __attribute__((visibility("default")))

EXPORTED int qemu_plugin_version = INTERFACE;

// Behind the places stand what each processor has executed, which two that run at once do not lose of each other.
//
// Places in the file, and how far from that of its hash a block may lie.
enum { PLACES = 1 << 20, NEAR = 256, NO_REGISTERS = 0, PROCESSORS = 64 };

// What the file is an array of.
struct place {
    uint64_t address;
    uint64_t instructions;
    uint64_t length;
};

static struct place *places;
static uint64_t *processors;

// The place of a block: its address and length are the key, since a block may be cut anew.
static struct place *place_of(uint64_t address, uint64_t length)
{
    uint64_t hash = (address * 0x9e3779b97f4a7c15u) ^ (length * 0xbf58476d1ce4e5b9u);
    for (unsigned step = 0; step < NEAR; step++) {
        struct place *place = &places[((hash >> 32) + step) % PLACES];
        if (place->address == 0) {
            place->length = length;
            place->address = address;
        }
        if (place->address == address && place->length == length)
            return place;
    }
    // A figure with something missing would be none.
    fprintf(stderr, "the counter has no place for another block\n");
    _exit(1);
}

static void execute(unsigned processor, void *data)
{
    struct place *place = data;
    place->instructions += place->length;
    processors[processor % PROCESSORS] += place->length;
}

static void translate(plugin_id id, struct block *block)
{
    (void)id;
    struct place *place = place_of(qemu_plugin_tb_vaddr(block), qemu_plugin_tb_n_insns(block));
    qemu_plugin_register_vcpu_tb_exec_cb(block, execute, NO_REGISTERS, place);
}

// Words: out=FILE.
EXPORTED int qemu_plugin_install(plugin_id id, const struct information *information, int count, char **words)
{
    (void)information;
    const char *name = count == 1 && strncmp(words[0], "out=", 4) == 0 ? words[0] + 4 : NULL;
    int file = name ? open(name, O_RDWR | O_CREAT, 0600) : -1;
    size_t length = PLACES * sizeof(struct place) + PROCESSORS * sizeof(uint64_t);
    if (file < 0 || ftruncate(file, length) != 0) {
        fprintf(stderr, "the counter has no file to write to\n");
        return -1;
    }
    places = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (places == MAP_FAILED)
        return -1;
    processors = (uint64_t *)&places[PLACES];
    qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
    return 0;
}
